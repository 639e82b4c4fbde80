import { t } from '../strings/index.ts';
import type { Item, ItemOf } from './items.ts';

/** A line or card of the timeline. `items` are those it represents, which may be folded. */
export type Row = { key: string; items: readonly Item[] } & (
	| { kind: 'item' }
	/** Consecutive reads and searches, as one line. */
	| { kind: 'reads' }
	/** Steps of a finished task, as one line. */
	| { kind: 'worked'; task: Task; isOpen: boolean }
	| { kind: 'summary'; task: Task }
);

/** A message of the user and everything that followed it. */
export interface Task {
	key: string;
	/** Items after the message, in order. */
	items: readonly Item[];
	end: ItemOf<'end'>;
}

/** Kinds of items that are steps of a task; other items stay visible when the steps fold. */
const STEPS: ReadonlySet<Item['kind']> = new Set<Item['kind']>([
	...(['text', 'reasoning', 'tool', 'permission', 'question', 'retry', 'diagnostics', 'agent'] as const)
]);

/**
 * Groups items into rows: consecutive reads and searches become one row, and so do the steps of each finished task,
 * whose answer stays visible.
 *
 * @param isOpen returns true if the user unfolded the steps of a task, by the key of its row
 */
export function rowsOf(items: readonly Item[], isOpen: (key: string) => boolean): Row[] {
	const rows: Row[] = [];
	let from = 0;
	for (let at = 0; at < items.length; at += 1) {
		const item = items[at];
		const startsTask = item?.kind === 'user' && !item.steering;
		if (startsTask && at > from) {
			pushRunning(rows, items.slice(from, at));
			from = at;
		}
		if (item?.kind !== 'end') continue;
		pushEnded(rows, items.slice(from, at), item, isOpen);
		from = at + 1;
	}
	pushRunning(rows, items.slice(from));
	return rows;
}

/** Index of the row that shows or folds an item, or -1. */
export function rowOfItem(rows: readonly Row[], item: Item): number {
	const shown = rows.findIndex((row) => row.kind !== 'worked' && row.items.includes(item));
	return shown >= 0 ? shown : rows.findIndex(({ items }) => items.includes(item));
}

function pushRunning(rows: Row[], items: readonly Item[]): void {
	for (let at = 0; at < items.length;) {
		const reads = readsFrom(items, at);
		const first = items[at];
		if (!first) return;
		if (reads.length > 1) rows.push({ key: `${first.key}:reads`, kind: 'reads', items: reads });
		else rows.push({ key: first.key, kind: 'item', items: [first] });
		at += Math.max(1, reads.length);
	}
}

function pushEnded(rows: Row[], all: readonly Item[], end: ItemOf<'end'>, isOpen: (key: string) => boolean): void {
	const [first] = all;
	const hasMessage = first?.kind === 'user' && !first.steering;
	if (hasMessage) rows.push({ key: first.key, kind: 'item', items: [first] });
	const items = hasMessage ? all.slice(1) : all;
	const task: Task = { key: end.key, items, end };
	const answer = answerOf(items);
	const steps = items.filter((item) => isStep(item) && item !== answer);
	const key = `${end.key}:worked`;
	const open = isOpen(key);
	if (items.length > 0) rows.push({ key, kind: 'worked', items: open ? [] : steps, task, isOpen: open });
	const hidden = new Set(open ? [] : steps);
	pushRunning(
		rows,
		items.filter((item) => !hidden.has(item))
	);
	if (t.timeline.ended[end.stopReason] !== '') rows.push({ key: end.key, kind: 'item', items: [end] });
	if (hasResult(task)) rows.push({ key: `${end.key}:summary`, kind: 'summary', items: [], task });
}

/** An open question is not folded, since it waits for its answer, however the run ended. */
function isStep(item: Item): boolean {
	return STEPS.has(item.kind) && !(item.kind === 'question' && item.open);
}

/** The agent's final message, if no step followed it. */
function answerOf(items: readonly Item[]): Item | undefined {
	const last = items.findLast(({ kind }) => STEPS.has(kind));
	return last?.kind === 'text' ? last : undefined;
}

/** A task without changes or commands needs no summary. */
function hasResult({ items, end }: Task): boolean {
	return end.files.length > 0 || items.some((item) => item.kind === 'tool' && item.tool === 'shell');
}

/** Consecutive reads and searches from an index on, including the reasoning between them. */
function readsFrom(items: readonly Item[], from: number): readonly Item[] {
	let end = from;
	for (let at = from; at < items.length; at += 1) {
		const item = items[at];
		if (item && isRead(item)) end = at + 1;
		else if (item?.kind !== 'reasoning' || at === from) break;
	}
	return items.slice(from, end);
}

/** Returns true for a successful read or search: a failure is displayed separately. */
export function isRead(item: Item): item is ItemOf<'tool'> {
	return (
		item.kind === 'tool' &&
		item.status === 'done' &&
		(item.tool === 'read' || item.tool === 'search' || item.tool === 'list')
	);
}
