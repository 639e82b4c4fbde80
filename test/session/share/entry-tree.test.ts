import { describe, expect, it } from 'vitest';
import type { SessionEntry } from '#agent/session-log.ts';
import { assertTree, MAX_ENTRIES, reconnected } from '#session/share/entry-tree.ts';

const placed = (id: string, parentId: string | null) => ({ id, parentId });
const entry = (id: string, parentId: string | null): SessionEntry => ({
	...placed(id, parentId),
	timestamp: 0,
	type: 'label',
	targetId: '',
	label: id
});

describe('the entries of a share', () => {
	it('are a tree, in which parents come first', () => {
		const tree = [placed('a', null), placed('b', 'a'), placed('c', 'a'), placed('other', null)];
		for (const leaf of [undefined, 'a', 'other']) assertTree(tree, leaf);
		assertTree([]);
	});

	it.each([
		[[placed('a', null), placed('a', null)], 'two entries a'],
		[[placed('a', 'a')], 'entry a stands before its parent a, or has none'],
		[[placed('b', 'a'), placed('a', null)], 'entry b stands before its parent a, or has none'],
		[[placed('a', '')], 'entry a stands before its parent , or has none'],
		[[placed('a', null)], 'no entry leaf', 'leaf'],
		[[], 'no entry leaf', 'leaf']
	])('that do not hold together are refused: %j', (entries, detail, leaf?: string) => {
		expect(() => assertTree(entries, leaf)).toThrow(expect.objectContaining({ code: 'malformed_tree', detail }));
	});

	it('are 200,000 at most', () => {
		const most = Array.from({ length: MAX_ENTRIES }, (_, at) => placed(String(at), null));
		assertTree(most);
		expect(() => assertTree([...most, placed('more', null)])).toThrow(
			expect.objectContaining({ code: 'too_complex', detail: '200001 entries' })
		);
	});
});

it('joins entries whose parent was lost to the one before them, and leaves repeated ones out', () => {
	const whole = [entry('a', null), entry('b', 'a'), entry('c', 'a'), entry('root', null)];
	expect(reconnected(whole)).toEqual(whole);
	const lost = [
		entry('b', 'a'),
		entry('c', 'b'),
		entry('d', 'gone'),
		entry('c', null),
		entry('e', 'later'),
		entry('later', null)
	];
	expect(reconnected(lost).map(({ id, parentId }) => [id, parentId])).toEqual([
		['b', null],
		['c', 'b'],
		['d', 'c'],
		['e', 'd'],
		['later', null]
	]);
});
