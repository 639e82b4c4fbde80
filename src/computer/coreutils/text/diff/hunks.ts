import { type Change, type Sides, withoutEnd } from './changes.ts';

/** Changes shown together with their context lines; positions from 0. */
export interface Hunk {
	oldStart: number;
	oldCount: number;
	newStart: number;
	newCount: number;
	changes: readonly Change[];
	/** Last line before the hunk that looks like the start of a function. */
	functionLine: string | null;
}

const FUNCTION_LENGTH = 40;

/**
 * Groups changes that are close to each other, with `context` lines around them; groups of only ignorable changes are
 * omitted.
 */
export function hunksOf(
	sides: Sides,
	changes: readonly Change[],
	context: number,
	isFunction: ((line: string) => boolean) | null
): Hunk[] {
	const groups: Change[][] = [];
	for (const change of changes) {
		const last = groups.at(-1)?.at(-1);
		const most = change.isIgnorable ? context : 2 * context + 1;
		if (last && change.oldStart - last.oldStart - last.oldCount < most) groups.at(-1)?.push(change);
		else groups.push([change]);
	}
	const shown = groups.filter((group) => group.some((change) => !change.isIgnorable));
	const functions = isFunction ? new FunctionLines(sides.old, isFunction) : null;
	return shown.map((group) => {
		const hunk = around(sides, group, context);
		return { ...hunk, functionLine: functions?.before(hunk.oldStart) ?? null };
	});
}

function around(sides: Sides, changes: readonly Change[], context: number): Omit<Hunk, 'functionLine'> {
	const [first, last] = [changes[0]!, changes.at(-1)!];
	const oldStart = Math.max(0, first.oldStart - context);
	const newStart = Math.max(0, first.newStart - context);
	const oldEnd = Math.min(sides.old.length, last.oldStart + last.oldCount + context);
	const newEnd = Math.min(sides.new.length, last.newStart + last.newCount + context);
	return { oldStart, oldCount: oldEnd - oldStart, newStart, newCount: newEnd - newStart, changes };
}

/** Searches for lines that start a function; each line is tested once. */
class FunctionLines {
	#at = 0;
	#last: string | null = null;

	constructor(
		private readonly lines: readonly string[],
		private readonly isFunction: (line: string) => boolean
	) {}

	before(end: number): string | null {
		for (; this.#at < end; this.#at++) {
			const line = withoutEnd(this.lines[this.#at] ?? '');
			if (this.isFunction(line)) this.#last = line.trimStart().slice(0, FUNCTION_LENGTH).trimEnd();
		}
		return this.#last;
	}
}
