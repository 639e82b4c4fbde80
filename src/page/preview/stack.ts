import { OBSERVER_NAME } from './observe.ts';
import type { Place } from './source-map.ts';

/** Finds where in the project a place in a script of the shown document comes from. Lines and columns from 1. */
export type FindPlace = (script: string, line: number, column: number) => Place | null;

const FRAME = /(?:^|[\s(@])([^\s()@]+):(\d+):(\d+)\)?\s*$/;

/** The topmost line of a stack that is in the project, in any engine's writing. */
export function placeOf(stack: string, find: FindPlace): Place | null {
	for (const line of stack.split('\n')) {
		const [, script, row, column] = FRAME.exec(line) ?? [];
		if (script === undefined || script.endsWith(OBSERVER_NAME)) continue;
		const place = find(script, Number(row), Number(column));
		if (place) return place;
	}
	return null;
}
