import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isOfGit, TouchedPaths, UndoSteps, withoutStep } from '#agent/undo-steps.ts';
import type { Snapshot } from '#environment/contract.ts';
import { Mode } from '#environment/mode.ts';

const FILE = 0o100644;
/** Builds a tree from paths; `null` is an empty directory. */
function tree(files: Record<string, string | null>): Snapshot {
	const entries = Object.entries(files)
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([path, blob]) => [path, blob === null ? { mode: Mode.directory, blob: '' } : { mode: FILE, blob }] as const);
	return { id: '', entries: new Map(entries) } as unknown as Snapshot;
}
const shown = ({ entries }: Snapshot): Record<string, string | null> =>
	Object.fromEntries([...entries].map(([path, { mode, blob }]) => [path, mode === Mode.directory ? null : blob]));

function touched(...paths: string[]): TouchedPaths {
	const made = new TouchedPaths();
	for (const path of paths) made.add(path, !isOfGit(path));
	return made;
}

describe('paths that were touched', () => {
	it('are empty before any is, and tell files from what is none', () => {
		const paths = new TouchedPaths();
		expect([paths.isEmpty, paths.hasFiles, paths.files]).toEqual([true, false, []]);
		paths.add('dir', false);
		expect([paths.isEmpty, paths.hasFiles, paths.files]).toEqual([false, false, []]);
		paths.add('b', true);
		paths.add('a', true);
		expect([paths.hasFiles, paths.files]).toEqual([true, ['a', 'b']]);
	});

	it('tell what differs at them, below them and in the directories above them', async () => {
		const before = tree({ 'a/x': '1', 'a/y': '1', b: '1', 'c/d/e': '1', gone: '1', other: '1' });
		const after = tree({ 'a/x': '2', 'a/y': '1', b: '2', c: null, 'new/z': '1', other: '2' });
		const differences = (...paths: string[]) => touched(...paths).differences(before, after);
		expect(await differences('a')).toEqual(['a/x']);
		expect(await differences('b', 'gone', 'new/z')).toEqual(['b', 'gone', 'new/z']);
		expect(await differences('c/d')).toEqual(['c', 'c/d/e']);
		expect(await differences('a/y', 'nowhere')).toEqual([]);
		expect(await differences()).toEqual([]);
	});

	it('are left to another call where what differs is its own', () => {
		const paths = touched('a/b', 'c', 'd', 'e');
		paths.leave(touched('a', 'a/b', 'c', 'd'), ['a/b/x', 'c']);
		expect(paths.files).toEqual(['d', 'e']);
		expect(paths.isEmpty).toBe(false);
		paths.leave(touched('f'), ['d', 'e']);
		expect(paths.files).toEqual(['d', 'e']);
		paths.leave(touched('d', 'e'), ['d', 'e']);
		expect(paths.isEmpty).toBe(true);
	});

	it('are joined with others into a set of their own', async () => {
		const [one, two] = [touched('a/x'), touched('b', '.git/index')];
		const both = one.with(two);
		expect(both.files).toEqual(['a/x', 'b']);
		expect(await both.differences(tree({}), tree({ a: null, b: '1', '.git/index': '1' }))).toEqual([
			'.git/index',
			'a',
			'b'
		]);
		expect([one.files, two.files]).toEqual([['a/x'], ['b']]);
	});
});

describe('the way back over calls', () => {
	it('goes over the last first, fifty of them, and is forgotten as a whole', async () => {
		const steps = new UndoSteps();
		expect(steps.pop()).toBeUndefined();
		for (let index = 0; index <= 50; index++) await steps.push(tree({}), tree({}), [], [`${index}`]);
		const popped = Array.from({ length: 51 }, () => steps.pop()?.paths[0]);
		expect([popped[0], popped[49], popped[50]]).toEqual(['50', '1', undefined]);
		await steps.push(tree({ a: '1' }), tree({ b: '2' }), ['a', 'b'], ['a']);
		expect(steps.pop()).toEqual({
			paths: ['a'],
			changed: [
				{ path: 'a', was: { mode: FILE, blob: '1' }, is: undefined },
				{ path: 'b', was: undefined, is: { mode: FILE, blob: '2' } }
			]
		});
		await steps.push(tree({}), tree({}), [], []);
		steps.clear();
		expect(steps.pop()).toBeUndefined();
	});

	/** The current tree with the changes between two other trees undone. */
	async function back(before: Record<string, string | null>, after: Record<string, string | null>, now = after) {
		const steps = new UndoSteps();
		const [was, is] = [tree(before), tree(after)];
		const all = touched(...Object.keys(before), ...Object.keys(after));
		await steps.push(was, is, await all.differences(was, is), []);
		const step = steps.pop();
		if (!step) throw new Error('There is no step.');
		return shown(await withoutStep(tree(now), step));
	}

	it.each<
		[
			string,
			Record<string, string | null>,
			Record<string, string | null>,
			Record<string, string | null>,
			Record<string, string | null>
		]
	>([
		[
			'what was changed, added and removed',
			{ a: '1', gone: '1' },
			{ a: '2', new: '1' },
			{ a: '2', new: '1' },
			{ a: '1', gone: '1' }
		],
		['only that', { a: '1' }, { a: '2' }, { a: '2', b: '9' }, { a: '1', b: '9' }],
		['what was changed once more since', { a: '1' }, { a: '2' }, { a: '3' }, { a: '1' }],
		['a file where a directory stands now', { a: '1' }, {}, { 'a/b': '1', 'a/c': '1', ab: '1' }, { a: '1', ab: '1' }],
		['a file below what is a file now', { 'a/b': '1' }, {}, { a: '9' }, { 'a/b': '1' }],
		['an empty directory', { a: null }, {}, {}, { a: null }],
		['an empty directory, unless files were added to it', { a: null }, {}, { 'a/b': '1' }, { 'a/b': '1' }],
		['a directory that was filled', { a: null }, { 'a/b': '1' }, { 'a/b': '1' }, { a: null }],
		[
			'git\u2019s own files together',
			{ '.git/HEAD': '1', '.git/index': '1', a: '1' },
			{ '.git/HEAD': '2', '.git/index': '2', a: '2' },
			{ '.git/HEAD': '2', '.git/index': '3', a: '2' },
			{ '.git/HEAD': '1', '.git/index': '1', a: '1' }
		],
		[
			'the others alone where git was used since',
			{ '.git/HEAD': '1', '.git/index': '1', a: '1' },
			{ '.git/HEAD': '2', '.git/index': '2', a: '2' },
			{ '.git/HEAD': '3', '.git/index': '2', a: '2' },
			{ '.git/HEAD': '3', '.git/index': '2', a: '1' }
		]
	])('brings back %s', async (_, before, after, now, restored) => {
		expect(await back(before, after, now)).toEqual(restored);
	});
});

it('knows which paths are git\u2019s own', () => {
	expect(['.git', '.git/HEAD', '.github/a', 'a/.git', '.gitignore'].map(isOfGit)).toEqual([
		true,
		true,
		false,
		false,
		false
	]);
});

describe('on a slow machine', () => {
	const large = tree(Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`f${index}`, '1'])));
	const others = vi.fn(() => Promise.resolve());
	let now: number;
	beforeEach(() => {
		now = 0;
		others.mockClear();
		vi.stubGlobal('scheduler', { postTask: others });
		vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
		return () => {
			vi.unstubAllGlobals();
			vi.restoreAllMocks();
		};
	});

	it('a large tree is compared and recorded without holding up the page', async () => {
		const paths = touched(...large.entries.keys());
		await paths.differences(tree({}), large);
		expect(others).toHaveBeenCalledTimes(2);
		const gone = await paths.differences(large, tree({}));
		expect(others).toHaveBeenCalledTimes(4);
		await new UndoSteps().push(large, tree({}), gone, gone);
		expect(others).toHaveBeenCalledTimes(6);
	});

	it('a call that added or removed very many files is undone without holding up the page', async () => {
		const undo = async (before: Snapshot, after: Snapshot): Promise<void> => {
			const changed = [...large.entries.keys()].map((path) => ({
				path,
				was: before.entries.get(path),
				is: after.entries.get(path)
			}));
			others.mockClear();
			await withoutStep(after, { changed, paths: [] });
		};
		await undo(tree({}), large);
		expect(others.mock.calls.length).toBeGreaterThanOrEqual(4);
		await undo(large, tree({}));
		expect(others.mock.calls.length).toBeGreaterThanOrEqual(4);
	});
});
