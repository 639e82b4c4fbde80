import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { FileState, journalLine, type JournalLine, type Tree } from '#session/storage/file-journal.ts';

const write = (p: string, b = 'x', m = 0o100644): JournalLine => ({ t: 'write', p, m, b });
const tree = (files: Record<string, string>, mode = 0o100644): Tree =>
	new Map(Object.entries(files).map(([path, blob]) => [path, { mode, blob }]));

function stateOf(...lines: JournalLine[]): FileState {
	const state = new FileState();
	for (const line of lines) expect(state.apply(line)).toBeNull();
	return state;
}
const paths = (state: FileState): string[] => [...state.files.keys()].sort();

describe('the files of a journal', () => {
	it('have the last content and mode', () => {
		const state = stateOf(write('/a', 'one'), write('/a', 'two'), { t: 'mode', p: '/a', m: 0o100755 });
		expect(state.files.get('/a')).toEqual({ mode: 0o100755, blob: 'two' });
		expect(paths(stateOf({ t: 'mode', p: '/nowhere', m: 0o100755 }))).toEqual([]);
	});

	it('are gone with the folder that they were in, and not with one whose name only begins so', () => {
		const files = [write('/d', '', 0o40000), write('/d/a'), write('/d/e/b'), write('/da'), write('/other/d/a')];
		expect(paths(stateOf(...files, { t: 'remove', p: '/d' }))).toEqual(['/da', '/other/d/a']);
		expect(paths(stateOf(...files, { t: 'remove', p: '/d/a' }))).toEqual(['/d', '/d/e/b', '/da', '/other/d/a']);
		// A folder without a line of its own still contains its files.
		expect(paths(stateOf(write('/d/a'), write('/d2'), { t: 'remove', p: '/d' }))).toEqual(['/d2']);
	});

	it('move with their folder, over what was there', () => {
		const state = stateOf(
			write('/d/a', 'a'),
			write('/d/e/b', 'b'),
			write('/to/a', 'old'),
			write('/to/gone', 'old'),
			write('/top', 'old'),
			{ t: 'rename', p: '/d', to: '/to' }
		);
		expect(Object.fromEntries([...state.files].map(([path, { blob }]) => [path, blob]))).toEqual({
			'/to/a': 'a',
			'/to/e/b': 'b',
			'/top': 'old'
		});
		expect(paths(stateOf(write('/a'), { t: 'rename', p: '/nowhere', to: '/a' }))).toEqual([]);
		const onto = stateOf(write('/a', 'new'), write('/b', 'old'), { t: 'rename', p: '/a', to: '/b' });
		expect([...onto.files]).toEqual([['/b', { mode: 0o100644, blob: 'new' }]]);
	});
});

/** The same, computed by scanning all paths. */
function plainly(lines: readonly JournalLine[]): Map<string, string> {
	let files = new Map<string, string>();
	for (const line of lines) {
		if (line.t === 'write') files.set(line.p, line.b);
		if (line.t !== 'remove' && line.t !== 'rename') continue;
		const isFile = (path: string): boolean => (files.get(path) ?? '') !== '';
		const isAt = (path: string, top: string): boolean => path === top || (!isFile(top) && path.startsWith(`${top}/`));
		const to = line.t === 'rename' ? line.to : null;
		const isMoved = (path: string): boolean => to !== null && isAt(path, line.p);
		const moved = [...files].filter(([path]) => isMoved(path));
		const kept = [...files].filter(([path]) => !isAt(path, line.p) && (to === null || !isAt(path, to)));
		files = new Map([...kept, ...moved.map(([path, b]) => [to + path.slice(line.p.length), b] as const)]);
	}
	return files;
}

it('finds what is below a folder by its index as by a look at all paths', () => {
	const path = fc
		.array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 3 })
		.map((names) => `/${names.join('/')}`);
	const line = fc.oneof(
		{
			weight: 3,
			arbitrary: fc.record({
				t: fc.constant('write' as const),
				p: path,
				m: fc.constant(0),
				b: fc.constantFrom('', 'x', 'y')
			})
		},
		fc.record({ t: fc.constant('remove' as const), p: path }),
		fc.record({ t: fc.constant('rename' as const), p: path, to: path })
	);
	fc.assert(
		fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
			const { files } = stateOf(...lines);
			expect(Object.fromEntries([...files].map(([at, { blob }]) => [at, blob]))).toEqual(
				Object.fromEntries(plainly(lines))
			);
		}),
		{ numRuns: 500 }
	);
});

describe('the trees of checkpoints', () => {
	it('are stored as what differs from the last, and are whole again', () => {
		const state = new FileState();
		const first = tree({ a: '1', b: '1', c: '1' });
		const line = state.treeLine('one', first);
		expect(line).toEqual({
			t: 'tree',
			id: 'one',
			base: null,
			set: { a: [0o100644, '1'], b: [0o100644, '1'], c: [0o100644, '1'] },
			del: []
		});
		state.apply(line!);
		const second = tree({ a: '1', b: '2', d: '1' });
		second.set('c', { mode: 0o100755, blob: '1' });
		second.delete('b');
		const next = state.treeLine('two', second);
		expect(next).toEqual({
			t: 'tree',
			id: 'two',
			base: 'one',
			set: { c: [0o100755, '1'], d: [0o100644, '1'] },
			del: ['b']
		});
		state.apply(next!);
		expect([state.tree('one'), state.tree('two'), state.tree('none')]).toEqual([first, second, undefined]);
		expect(state.treeIds()).toEqual(['one', 'two']);
		expect(state.treeLine('one', second)).toBeNull();
	});

	it('that build on a missing one are named, and not there', () => {
		const state = stateOf(write('/a'));
		expect(state.apply({ t: 'tree', id: 'two', base: 'one', set: {}, del: [] })).toBe(
			'A checkpoint builds on one that is missing (one).'
		);
		expect(state.tree('two')).toBeUndefined();
		expect(state.treeLine('three', tree({}))).toMatchObject({ base: null });
	});
});

it.each<[JournalLine, string[]]>([
	[write('/a'), ['t', 'p', 'm', 'b']],
	[{ t: 'mode', p: '/a', m: 1 }, ['t', 'p', 'm']],
	[{ t: 'remove', p: '/a' }, ['t', 'p']],
	[{ t: 'rename', p: '/a', to: '/b' }, ['t', 'p', 'to']],
	[{ t: 'tree', id: 'x', base: null, set: { a: [1, 'b'] }, del: ['c'] }, ['t', 'id', 'base', 'set', 'del']]
])('a line %j is read as it was written, and not without one of its parts', (line, parts) => {
	expect(journalLine.parse(line)).toEqual(line);
	for (const part of parts) {
		const { [part as keyof JournalLine]: _, ...without } = line;
		expect([part, journalLine.safeParse(without).success]).toEqual([part, false]);
	}
});
