import { describe, expect, it } from 'vitest';
import { readMoment, type MomentTree } from '#page/workbench/history/moment.ts';
import { treeRows } from '#page/workbench/history/tree-rows.ts';

const file = (blob: string, mode = 0o100644) => ({ mode, blob });
const trees: MomentTree[] = [
	new Map([
		['.git/HEAD', file('h')],
		['src', file('', 0o40000)],
		['src/a.ts', file('a1')],
		['gone.txt', file('g')]
	]),
	new Map([
		['.git/HEAD', file('h2')],
		['src', file('', 0o40000)],
		['src/a.ts', file('a2')],
		['b.txt', file('b')]
	])
];
const files = {
	tree: (at: number) => Promise.resolve(trees[at]!),
	read: (blob: string) => Promise.resolve(new TextEncoder().encode(blob))
};
const text = (bytes: Uint8Array | null) => bytes && new TextDecoder().decode(bytes);

describe('readMoment', () => {
	it('lists the files of a moment and what changed since the one before, without git itself', async () => {
		const moment = await readMoment(files, 1);
		expect(moment.paths).toEqual(['b.txt', 'src/a.ts']);
		expect(moment.changes).toEqual([
			{ path: 'b.txt', kind: 'added' },
			{ path: 'gone.txt', kind: 'removed' },
			{ path: 'src/a.ts', kind: 'modified' }
		]);
		const { before, after } = await moment.sides('src/a.ts');
		expect([text(before), text(after)]).toEqual(['a1', 'a2']);
		const gone = await moment.sides('gone.txt');
		expect([text(gone.before), gone.after]).toEqual(['g', null]);
	});

	it('has no changes at the first moment', async () => {
		expect((await readMoment(files, 0)).changes).toEqual([]);
	});
});

describe('treeRows', () => {
	it('lists folders first, and the contents of open ones', () => {
		const paths = ['a.txt', 'lib/x.ts', 'src/deep/y.ts', 'src/z.ts'];
		const rows = treeRows(paths, (folder) => folder.startsWith('src'));
		expect(rows.map(({ path, depth, isOpen }) => [path, depth, isOpen])).toEqual([
			['lib', 0, false],
			['src', 0, true],
			['src/deep', 1, true],
			['src/deep/y.ts', 2, null],
			['src/z.ts', 1, null],
			['a.txt', 0, null]
		]);
	});
});
