import { zlibSync } from 'fflate';
import { crc32 } from '#environment/crc32.ts';
import { sha1 } from '#environment/sha1.ts';
import { concat, fromHex, toHex } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { GitObject } from './object.ts';
import { ID_DELTA, objectHead, OFFSET_DELTA, PACK_HEAD_BYTES, packedType, packHead } from './pack-format.ts';
import { planDeltas, type DeltaLimits, type PackItem } from './plan-deltas.ts';
import { packIndex, type IndexedObject, type IndexVersion } from './write-pack-index.ts';

const DIGEST_BYTES = 20;

export interface PackHow extends DeltaLimits {
	/** Compression level, 0 to 9; -1 for the default. */
	level: number;
	/** Identifies delta bases by their offset in the pack instead of by id. */
	usesOffsets: boolean;
	/** Maximum size of a pack in bytes; a larger one is split. */
	mostBytes: number;
	indexVersion: IndexVersion;
}

/** A pack with its index, ready to be stored or sent. */
export interface BuiltPack {
	/** Checksum of the pack, which is also part of its name. */
	digest: string;
	pack: Uint8Array;
	index: Uint8Array;
	count: number;
	deltas: number;
}

/** Builds packs of objects, each delta base before its deltas. */
export function buildPacks(
	items: readonly PackItem[],
	how: PackHow,
	read: (id: string) => GitObject | null
): BuiltPack[] {
	const builder = new PackBuilder(how);
	const planned = planDeltas(items, how, read);
	const elsewhere = new Set(items.filter(({ isElsewhere }) => isElsewhere).map(({ id }) => id));
	const written = new Set<string>();
	const write = (start: string): void => {
		const chain = [start];
		for (let next = planned.get(start); next && !written.has(next.base) && !elsewhere.has(next.base);) {
			chain.push(next.base);
			next = planned.get(next.base);
		}
		for (let id = chain.pop(); id !== undefined; id = chain.pop()) {
			if (written.has(id)) continue;
			written.add(id);
			const object = read(id);
			if (!object) throw fatal(`unable to read ${id}`);
			const delta = planned.get(id);
			builder.add(id, object, delta && (elsewhere.has(delta.base) || builder.has(delta.base)) ? delta : undefined);
		}
	};
	for (const { id, isElsewhere } of items) if (!isElsewhere) write(id);
	return builder.finish();
}

class PackBuilder {
	readonly #done: BuiltPack[] = [];
	#parts: Uint8Array[] = [];
	#size = PACK_HEAD_BYTES;
	#objects: IndexedObject[] = [];
	#offsets = new Map<string, number>();
	#deltas = 0;

	constructor(private readonly how: PackHow) {}

	/** Returns whether the pack under construction contains an object. */
	has(id: string): boolean {
		return this.#offsets.has(id);
	}

	add(id: string, { type, content }: GitObject, delta?: { base: string; delta: Uint8Array }): void {
		const bytes = this.#packed(packedType(type), content, delta);
		if (this.#objects.length > 0 && this.#size + bytes.length + DIGEST_BYTES > this.how.mostBytes) {
			this.#close();
			// The base may be in the previous pack.
			return this.add(id, { type, content });
		}
		if (delta) this.#deltas++;
		this.#offsets.set(id, this.#size);
		this.#objects.push({ id, offset: this.#size, crc: crc32(bytes) });
		this.#parts.push(bytes);
		this.#size += bytes.length;
	}

	finish(): BuiltPack[] {
		if (this.#objects.length > 0 || this.#done.length === 0) this.#close();
		return this.#done;
	}

	#packed(type: number, content: Uint8Array, delta: { base: string; delta: Uint8Array } | undefined): Uint8Array {
		const level = this.how.level < 0 ? 6 : (Math.min(9, this.how.level) as 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9);
		const data = delta?.delta ?? content;
		const body = zlibSync(data, { level });
		if (!delta) return concat([objectHead(type, data.length), body]);
		const offset = this.#offsets.get(delta.base);
		if (offset === undefined || !this.how.usesOffsets)
			return concat([objectHead(ID_DELTA, data.length), fromHex(delta.base), body]);
		return concat([objectHead(OFFSET_DELTA, data.length), distance(this.#size - offset), body]);
	}

	#close(): void {
		const count = this.#objects.length;
		const head = packHead(count);
		const body = concat([head, ...this.#parts]);
		const digest = sha1(body);
		const { index } = packIndex(this.#objects, digest, this.how.indexVersion);
		const pack = concat([body, digest]);
		this.#done.push({ digest: toHex(digest), pack, index, count, deltas: this.#deltas });
		this.#parts = [];
		this.#size = PACK_HEAD_BYTES;
		this.#objects = [];
		this.#offsets = new Map();
		this.#deltas = 0;
	}
}

/** Offset to the base, encoded as it precedes a delta. */
function distance(back: number): Uint8Array {
	const bytes = [back & 127];
	for (let left = Math.floor(back / 128); left > 0; left = Math.floor(left / 128)) bytes.unshift((--left & 127) | 128);
	return Uint8Array.from(bytes);
}
