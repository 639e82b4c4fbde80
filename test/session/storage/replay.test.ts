import { describe, expect, it } from 'vitest';
import { replay } from '#session/storage/replay.ts';

const write = (name: string, b: string) => ({ t: 'write', p: `/${name}`, m: 0o100644, b });

/** Files after a replay in which only these contents are stored, and the reported losses. */
function replayed(lines: readonly unknown[], contents: string) {
	const { state, applied, warnings, damage } = replay(lines, (id) => id !== '' && contents.includes(id));
	return {
		files: [...state.files].map(([path, { blob }]) => `${path.slice(1)}=${blob}`).join(' '),
		applied,
		warnings,
		damage
	};
}

describe('a journal whose contents are all stored', () => {
	it('is replayed to its end', () => {
		const lines = [write('a', '1'), write('b', '2'), { t: 'remove', p: '/a' }, write('dir', '')];
		expect(replayed(lines, '12')).toEqual({ files: 'b=2 dir=', applied: 4, warnings: [], damage: [] });
		expect(replayed([], '')).toEqual({ files: '', applied: 0, warnings: [], damage: [] });
	});
});

describe('a journal after a crash', () => {
	it('ends before the first content that did not reach the disk, and names what is lost once', () => {
		const lines = [write('a', '1'), write('b', '2'), { t: 'remove', p: '/a' }, write('b', '3'), write('c', '1')];
		expect(replayed(lines, '1')).toEqual({
			files: 'a=1',
			applied: 1,
			warnings: ['The last 4 changes to files were not stored; the files are as they were before.'],
			damage: [{ kind: 'last_changes', count: 4, paths: ['/b', '/a', '/c'] }]
		});
	});

	it('names up to 50 paths, and no checkpoint among them', () => {
		const lost = Array.from({ length: 60 }, (_, at) => write(`f${at}`, 'lost'));
		const tree = { t: 'tree', id: 'x', base: null, set: {}, del: [] };
		const { damage } = replayed([...lost.slice(0, 1), tree, null, ...lost.slice(1)], '');
		expect(damage).toMatchObject([{ count: 62, paths: lost.slice(0, 50).map(({ p }) => p) }]);
	});

	it('keeps what came before a loss at its end, although an earlier content is damaged', () => {
		const lines = [write('a', 'x'), write('b', '1'), write('c', '2'), write('d', 'y'), write('e', '')];
		expect(replayed(lines, '12')).toMatchObject({ files: 'a=x b=1 c=2', applied: 3 });
	});
});

describe('a journal of which a content is damaged', () => {
	it('is replayed on, where a later content shows that no crash has lost it', () => {
		const lines = [write('a', 'x'), write('b', '1'), { t: 'remove', p: '/none' }];
		expect(replayed(lines, '1')).toEqual({ files: 'a=x b=1', applied: 3, warnings: [], damage: [] });
		// The later content was already stored before: that proves nothing.
		const again = [write('a', '1'), write('b', 'x'), write('c', '1')];
		expect(replayed(again, '1')).toMatchObject({ files: 'a=1', applied: 1 });
		const unread = [null, { t: 'remove', p: '/none' }, write('a', 'x'), null, write('b', '1')];
		expect(replayed(unread, '1')).toMatchObject({ files: 'a=x b=1', applied: 5 });
		const folder = [write('a', 'x'), write('dir', '')];
		expect(replayed(folder, '1')).toMatchObject({ files: '', applied: 0 });
	});

	it('is replayed without lines that make no sense, and these are counted', () => {
		const lines = [write('a', '1'), { t: 'unknown' }, null, write('b', '1')];
		const strange = 'A line of the file journal makes no sense and was left out.';
		expect(replayed(lines, '1')).toEqual({
			files: 'a=1 b=1',
			applied: 4,
			warnings: [strange, strange],
			damage: [{ kind: 'change_lines', count: 2 }]
		});
	});

	it('counts the checkpoints that build on a missing one', () => {
		const tree = (id: string, base: string | null) => ({ t: 'tree', id, base, set: {}, del: [] });
		const { warnings, damage } = replayed([tree('a', 'gone'), tree('b', 'a'), tree('c', null)], '');
		expect(warnings).toHaveLength(2);
		expect(damage).toEqual([{ kind: 'checkpoints', count: 2 }]);
	});
});
