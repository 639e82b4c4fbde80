import { expect, it } from 'vitest';
import { placeLanes, type Relative } from '#page/workbench/history/lanes/place-lanes.ts';

function relative(id: string, parent: string | null, stops: [name: string, entryId: string | null][]): Relative {
	const entries = new Set(stops.flatMap(([, entryId]) => (entryId === null ? [] : [entryId])));
	return {
		id,
		title: id,
		parent,
		isMain: parent === null,
		stops: stops.map(([name, entryId]) => ({ kind: 'edit', name, entryId })),
		entries
	};
}

const main = relative('main', null, [
	['Import', null],
	['task', 'e1'],
	['edit', 'e2'],
	['test', 'e3']
]);
/** Forked after the task: it contains that entry, and has its own stops. */
const fork = relative('fork', 'main', [
	['Import', null],
	['other', 'f1'],
	['edit', 'f2']
]);
const withShared = { ...fork, entries: new Set([...fork.entries, 'e1']) };

it('begins a fork at the last stop that it shares, one column a stop', () => {
	const [first, second] = placeLanes([withShared, main]);
	expect(first).toMatchObject({ id: 'main', isFork: false, from: 0, below: 0, end: 4 });
	expect(first?.stops.map(({ at }) => at)).toEqual([0, 1, 2, 3]);
	expect(second).toMatchObject({ id: 'fork', isFork: true, from: 1, below: 1, end: 4 });
	expect(second?.stops).toEqual([
		{ kind: 'edit', name: 'other', at: 2 },
		{ kind: 'edit', name: 'edit', at: 3 }
	]);
});

it('puts the fork of a fork below it, counted from its column', () => {
	const again = relative('again', 'fork', [['Import', null]]);
	const lanes = placeLanes([
		main,
		withShared,
		{ ...again, entries: new Set(['e1', 'f1']) },
		relative('late', 'main', [['Import', null]])
	]);
	expect(lanes.map(({ id, from, below, end }) => [id, from, below, end])).toEqual([
		['main', 0, 0, 4],
		['fork', 1, 1, 4],
		['again', 2, 1, 3],
		['late', 0, 3, 1]
	]);
});

it('keeps a fork whose parent was deleted, as a lane of its own', () => {
	const [lane] = placeLanes([withShared]);
	expect(lane).toMatchObject({ isFork: true, from: 0, below: 0, end: 3 });
	expect(lane?.stops).toHaveLength(3);
});

it('draws the session that was made main as none of the forks, where it parted', () => {
	const [first, second] = placeLanes([
		{ ...main, isMain: false },
		{ ...withShared, isMain: true }
	]);
	expect(first).toMatchObject({ id: 'main', isFork: true, from: 0, below: 0 });
	expect(second).toMatchObject({ id: 'fork', isFork: false, from: 1, below: 1 });
});
