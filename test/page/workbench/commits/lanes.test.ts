import { describe, expect, it } from 'vitest';
import { graphOf } from '#page/workbench/commits/lanes.ts';

/** Commits written as `id:parent,parent`. */
const graph = (...commits: string[]) =>
	graphOf(
		commits.map((text) => {
			const [id = '', parents = ''] = text.split(':');
			return { id, parents: parents.split(',').filter((parent) => parent !== '') };
		})
	);

const edges = (list: readonly { from: number; to: number }[]): string[] => list.map(({ from, to }) => `${from}-${to}`);

describe('the graph of commits', () => {
	it('keeps one line for a history without branches', () => {
		const rows = graph('c:b', 'b:a', 'a');
		expect(rows.map(({ lane }) => lane)).toEqual([0, 0, 0]);
		expect(edges(rows[0]!.above)).toEqual([]);
		expect(edges(rows[1]!.above)).toEqual(['0-0']);
		expect(edges(rows[2]!.below)).toEqual([]);
		expect(rows.map(({ open }) => open)).toEqual([[0], [0], []]);
	});

	it('parts at a merge and meets at the common parent', () => {
		const rows = graph('m:a,b', 'a:r', 'b:r', 'r');
		expect(rows.map(({ lane }) => lane)).toEqual([0, 0, 1, 0]);
		expect(edges(rows[0]!.below)).toEqual(['0-0', '0-1']);
		expect(edges(rows[1]!.below)).toEqual(['1-1', '0-0']);
		expect(edges(rows[2]!.above)).toEqual(['0-0', '1-1']);
		expect(edges(rows[2]!.below)).toEqual(['0-0', '1-1']);
		expect(edges(rows[3]!.above)).toEqual(['0-0', '1-0']);
		expect(rows[3]!.open).toEqual([]);
	});

	it('gives tips of branches lanes of their own, and uses a lane again once it has ended', () => {
		const rows = graph('x:r', 'y:r', 'r:q', 'z:q', 'q');
		expect(rows.map(({ lane }) => lane)).toEqual([0, 1, 0, 1, 0]);
		expect(edges(rows[2]!.above)).toEqual(['0-0', '1-0']);
		expect(edges(rows[4]!.above)).toEqual(['0-0', '1-0']);
	});

	it('leaves a line open where the parent is not listed', () => {
		const rows = graph('b:a', 'c:gone');
		expect(rows[0]!.open).toEqual([0]);
		expect(rows[1]!.lane).toBe(1);
		expect(rows[1]!.open).toEqual([0, 1]);
	});

	it('draws a merge of three parents', () => {
		const [merge] = graph('m:a,b,c', 'a', 'b', 'c');
		expect(edges(merge!.below)).toEqual(['0-0', '0-1', '0-2']);
	});
});
