import { OBSERVER_NAME } from './observe.ts';
import type { Place } from './source-map.ts';

/** Maps a position in a script of the displayed document to the project. Lines and columns are 1-based. */
export type FindPlace = (script: string, line: number, column: number) => Place | null;

const FRAME = /(?:^|[\s(@])([^\s()@]+):(\d+):(\d+)\)?\s*$/;

/** Topmost stack line that is in the project, in any engine's format. */
export function placeOf(stack: string, find: FindPlace): Place | null {
	for (const line of stack.split('\n')) {
		const [, script, row, column] = FRAME.exec(line) ?? [];
		if (script === undefined || script.endsWith(OBSERVER_NAME)) continue;
		const place = find(script, Number(row), Number(column));
		if (place) return place;
	}
	return null;
}
