import { expect, it } from 'vitest';
import { RecentTrees } from '#session/recent-trees.ts';

it('has the trees that were last asked for, and not all that ever were', () => {
	const recent = new RecentTrees();
	const tree = (id: string) => new Map([[id, { mode: 0o100644, blob: id }]]);
	recent.add('first', tree('first'));
	recent.add('second', tree('second'));
	expect(recent.get('first')).toEqual(tree('first'));
	expect(recent.get('second')).toEqual(tree('second'));
	expect(recent.get('none')).toBeUndefined();
	for (let at = 0; at < 100; at++) {
		recent.add(`other ${at}`, tree('other'));
		expect(recent.get('second')).toEqual(tree('second'));
	}
	for (let at = 0; at < 100; at++) recent.add(`later ${at}`, tree(`later ${at}`));
	expect([recent.get('first'), recent.get('second')]).toEqual([undefined, undefined]);
	expect(recent.get('later 99')).toEqual(tree('later 99'));
});

it('has four, which a question for another does not push out', () => {
	const recent = new RecentTrees();
	const ids = ['a', 'b', 'c', 'd'];
	for (const id of ids) recent.add(id, new Map());
	for (const unknown of ['x', 'y', 'z']) expect(recent.get(unknown)).toBeUndefined();
	for (const id of ids) expect(recent.get(id)).toBeDefined();
	recent.add('e', new Map());
	expect(['a', ...ids.slice(1), 'e'].map((id) => recent.get(id) !== undefined)).toEqual([
		false,
		true,
		true,
		true,
		true
	]);
});
