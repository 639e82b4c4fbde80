import { Stretches } from '../environment/stretches.ts';
import type { ReadonlyTree } from './checkpoint-store.ts';
import type { ChangedFile } from './contract.ts';
import type { IsIgnored } from './ignore-rules.ts';
import { asText, lineCounts } from './text.ts';
import { diffLargeTrees, type TreeChange } from './tree-diff.ts';

type Counts = Pick<ChangedFile, 'added' | 'removed' | 'binary'>;

/** Contents that are asked for at once: the storage of those that are not at hand is a message away. */
const AT_ONCE = 32;

/** Finds what a person is shown as changed; of a tree that hardly differs from the last one it compares only what does. */
export class ChangedFiles {
	/** By the pair of blobs they were counted for, so that an unchanged file is compared once. */
	readonly #counts = new Map<string, Counts>();

	constructor(private readonly readBlob: (id: string) => Promise<Uint8Array>) {}

	/** What differs, by path, without what is ignored and was not in the first tree. Rejects as `readBlob` does. */
	async between(before: ReadonlyTree, now: ReadonlyTree, isIgnored: IsIgnored): Promise<ChangedFile[]> {
		const changes = await diffLargeTrees(before, now, ({ path }) =>
			before.has(path) ? !path.startsWith('.git/') : !isIgnored(path)
		);
		const files: ChangedFile[] = [];
		const stretches = new Stretches();
		for (let at = 0; at < changes.length; at += AT_ONCE) {
			const counted = changes.slice(at, at + AT_ONCE).map((change) => this.#describe(change, before, now));
			files.push(...(await Promise.all(counted)));
			if (stretches.areOver(AT_ONCE)) await stretches.pause();
		}
		return files;
	}

	async #describe(change: TreeChange, before: ReadonlyTree, now: ReadonlyTree): Promise<ChangedFile> {
		const sides = [before.get(change.path), now.get(change.path)];
		const version = sides.map((entry) => (entry ? `${entry.mode.toString(8)} ${entry.blob}` : '-')).join(' ');
		const [old, present] = sides.map((entry) => entry?.blob);
		return { ...change, ...(this.#counts.get(`${old}:${present}`) ?? (await this.#count(old, present))), version };
	}

	async #count(before: string | undefined, after: string | undefined): Promise<Counts> {
		const [old, now] = await Promise.all(
			[before, after].map(async (id) => (id ? asText(await this.readBlob(id)) : ''))
		);
		const counts =
			old === null || now === null
				? { added: 0, removed: 0, binary: true }
				: { ...lineCounts(old ?? '', now ?? ''), binary: false };
		this.#counts.set(`${before}:${after}`, counts);
		return counts;
	}
}
