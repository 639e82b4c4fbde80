import { expect, it } from 'vitest';
import { Mode } from '#environment/mode.ts';
import type { Tree } from '#workspace/checkpoint-store.ts';
import { diffLargeTrees, diffTrees } from '#workspace/tree-diff.ts';

/** Files by their content; `null` is an empty directory. */
const tree = (files: Record<string, string | null>): Tree =>
	new Map(
		Object.entries(files).map(([path, blob]) => [
			path,
			blob === null ? { mode: Mode.directory, blob: '' } : { mode: Mode.file, blob }
		])
	);
const before = tree({
	z: '1',
	same: '1',
	changed: '1',
	mode: '1',
	gone: '1',
	dir: null,
	'to-file': null,
	'to-dir': '1'
});
const after = tree({ b: '1', same: '1', changed: '2', mode: '1', a: '1', 'to-file': '1', 'to-dir': null, made: null });
after.set('mode', { mode: Mode.executable, blob: '1' });

const files = [
	{ path: 'a', kind: 'added' },
	{ path: 'b', kind: 'added' },
	{ path: 'changed', kind: 'modified' },
	{ path: 'gone', kind: 'removed' },
	{ path: 'mode', kind: 'modified' },
	{ path: 'to-dir', kind: 'removed' },
	{ path: 'to-file', kind: 'added' },
	{ path: 'z', kind: 'removed' }
];

it('lists what was made, changed and removed by path, without directories', async () => {
	expect(diffTrees(before, after)).toEqual(files);
	expect(await diffLargeTrees(before, after, () => true)).toEqual(files);
	expect(await diffLargeTrees(before, after, ({ path }) => path > 'b')).toEqual(files.slice(2));
	expect(diffTrees(before, before)).toEqual([]);
});

it('lists directories too where these count', () => {
	expect(diffTrees(before, after, { directories: true })).toEqual([
		{ path: 'a', kind: 'added' },
		{ path: 'b', kind: 'added' },
		{ path: 'changed', kind: 'modified' },
		{ path: 'dir', kind: 'removed' },
		{ path: 'gone', kind: 'removed' },
		{ path: 'made', kind: 'added' },
		{ path: 'mode', kind: 'modified' },
		{ path: 'to-dir', kind: 'modified' },
		{ path: 'to-file', kind: 'modified' },
		{ path: 'z', kind: 'removed' }
	]);
});
