import { expect, it } from 'vitest';
import { Baselines, type StoredBaselines } from '#workspace/baselines.ts';
import type { Tree } from '#workspace/checkpoint-store.ts';
import { headOf } from '#workspace/head-of.ts';

/** Blobs are their own ids. */
const readBlob = async (id: string): Promise<Uint8Array> => new TextEncoder().encode(id);
const tree = (files: Record<string, string>): Tree =>
	new Map(Object.entries(files).map(([path, text]) => [path, { mode: 0o100644, blob: text }]));
const at = (commit: string, files: Record<string, string> = {}): Tree => tree({ '.git/HEAD': commit, ...files });

it('finds the commit of HEAD: detached, loose, packed, before the first commit, and without a repository', async () => {
	const main = { '.git/HEAD': 'ref: refs/heads/main\n' };
	expect(await headOf(tree({ '.git/HEAD': 'aaaa\n' }), readBlob)).toBe('aaaa');
	const packed = '# pack-refs with: peeled\ncccc refs/heads/main\ndddd refs/heads/not/refs/heads/main2\n';
	const loose = { '.git/refs/heads/main': 'bbbb\n', '.git/packed-refs': packed };
	expect(await headOf(tree({ ...main, ...loose }), readBlob)).toBe('bbbb');
	expect(await headOf(tree({ ...main, '.git/packed-refs': packed }), readBlob)).toBe('cccc');
	expect(await headOf(tree(main), readBlob)).toBe('ref: refs/heads/main');
	expect(await headOf(tree({ 'a.txt': 'a' }), readBlob)).toBe('');
});

it('keeps a baseline for each commit, and the one of the moment for a commit of someone else', async () => {
	const trees: Record<string, Tree> = { imported: at('A'), committed: at('B', { 'a.txt': 'b' }) };
	const store = { checkpoints: () => [], readTree: async (id: string) => trees[id]! };
	const told: StoredBaselines[] = [];
	const baselines = await Baselines.open(store, readBlob, { current: 'imported', byHead: {} }, (kept) =>
		told.push(kept)
	);
	expect(await baselines.of(at('A'))).toBe(trees['imported']);
	expect(await baselines.of(at('by the agent'))).toBe(trees['imported']);
	await baselines.set('committed', trees['committed']!);
	expect(await baselines.of(at('amended'))).toBe(trees['committed']);
	expect(await baselines.of(at('by the agent'))).toBe(trees['imported']);
	expect(await baselines.of(at('B'))).toBe(trees['committed']);
	expect(await baselines.idFor(at('A'))).toBe('imported');
	expect(await baselines.of(at('another'))).toBe(trees['committed']);
	const again = await Baselines.open(store, readBlob, told.at(-1)!);
	expect(await again.idFor(at('by the agent'))).toBe('imported');
});

it('finds those of a session of an earlier version, which kept the last one alone', async () => {
	const heads = { imported: 'A', before: 'A', turn: 'by the agent', first: 'B', again: 'B', committed: 'C' };
	const labels: Record<string, string> = { imported: 'Imported', first: 'Commit: one', again: 'Commit: one' };
	labels['committed'] = 'Commit: two';
	const ids = Object.keys(heads);
	const store = {
		checkpoints: () => ids.map((id) => ({ id, tree: id, label: labels[id] ?? 'turn', timestamp: 0, entryId: null })),
		readTree: async (id: string) => at(heads[id as keyof typeof heads])
	};
	const baselines = await Baselines.open(store, readBlob, 'committed');
	expect(await baselines.idFor(at('A'))).toBe('imported');
	expect(await baselines.idFor(at('B'))).toBe('first');
	expect(await baselines.idFor(at('C'))).toBe('committed');
	// The agent's own commit is counted from the last one made here.
	expect(await baselines.idFor(at('by the agent'))).toBe('committed');
});

it('tells of a baseline only when it is another, and knows when HEAD has moved on', async () => {
	const trees: Record<string, Tree> = { imported: at('A') };
	const store = { checkpoints: () => [], readTree: async (id: string) => trees[id]! };
	const told: StoredBaselines[] = [];
	const baselines = await Baselines.open(store, readBlob, { current: 'imported', byHead: { A: 'imported' } }, (kept) =>
		told.push(kept)
	);
	expect(await baselines.isBehind(at('A'))).toBe(false);
	expect(told).toEqual([]);
	expect(await baselines.isBehind(at('B'))).toBe(true);
	expect(await baselines.isBehind(at('B'))).toBe(true);
	expect(told).toEqual([{ current: 'imported', byHead: { A: 'imported', B: 'imported' } }]);
});
