import { toHex } from '#environment/blob-id.ts';
import { sha1 } from '#environment/sha1.ts';

export type TreeEntry = [path: string, mode: number, blob: string];

const BUCKETS = 256;
const encoder = new TextEncoder();

/**
 * Entries by path, with a hash over all of them whose cost depends on what changed: each of 256 buckets has its own.
 */
export class EntrySet {
	#buckets = Array.from({ length: BUCKETS }, () => new Map<string, TreeEntry>());
	/** Set if a bucket has its entries sorted by path: replacing an entry preserves that order. */
	#areSorted = new Array<boolean>(BUCKETS).fill(true);
	#digests: (string | null)[] = Array.from({ length: BUCKETS }, () => null);

	get(path: string): TreeEntry | undefined {
		return this.#buckets[bucketOf(path)]!.get(path);
	}

	/** @returns whether the entry is new or different */
	set(entry: TreeEntry): boolean {
		const number = bucketOf(entry[0]);
		const before = this.#buckets[number]!.get(entry[0]);
		if (before && before[1] === entry[1] && before[2] === entry[2]) return false;
		this.#buckets[number]!.set(entry[0], entry);
		if (!before) this.#areSorted[number] = false;
		this.#digests[number] = null;
		return true;
	}

	delete(path: string): boolean {
		const number = bucketOf(path);
		if (!this.#buckets[number]!.delete(path)) return false;
		this.#digests[number] = null;
		return true;
	}

	all(): TreeEntry[] {
		return this.#buckets.flatMap((bucket) => [...bucket.values()]).sort(byPath);
	}

	/** Returns a hash that is equal for equal sets. */
	id(): string {
		this.#digests.forEach((digest, number) => {
			if (digest !== null) return;
			const lines: string[] = [];
			for (const [path, mode, blob] of this.#sorted(number).values()) {
				lines.push(`${mode.toString(8)} ${blob}\t${path}\0`);
			}
			this.#digests[number] = hash(lines);
		});
		return hash(this.#digests.map((digest) => digest ?? ''));
	}

	#sorted(number: number): Map<string, TreeEntry> {
		const bucket = this.#buckets[number]!;
		if (this.#areSorted[number]) return bucket;
		const sorted = new Map([...bucket.values()].sort(byPath).map((entry) => [entry[0], entry]));
		this.#buckets[number] = sorted;
		this.#areSorted[number] = true;
		return sorted;
	}
}

export const byPath = (a: TreeEntry, b: TreeEntry) => (a[0] < b[0] ? -1 : 1);

const hash = (parts: string[]) => toHex(sha1(encoder.encode(parts.join(''))));

function bucketOf(path: string): number {
	let value = 0;
	for (let at = 0; at < path.length; at++) value = (value * 31 + path.charCodeAt(at)) | 0;
	return (value ^ (value >>> 8) ^ (value >>> 16)) & (BUCKETS - 1);
}
