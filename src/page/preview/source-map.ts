import * as z from 'zod/mini';

/** A position in a file of the project; lines and columns are 1-based. */
export interface Place {
	file: string;
	line: number;
	column: number;
}

const SourceMap = z.object({ sources: z.array(z.string()), mappings: z.string() });

type Segment = readonly [column: number, source: number, line: number, originalColumn: number];

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes the numbers of one segment (base64 VLQ; the lowest bit is the sign). */
function numbers(segment: string): number[] {
	const found: number[] = [];
	let value = 0;
	let shift = 0;
	for (const character of segment) {
		const digit = DIGITS.indexOf(character);
		value += (digit & 31) << shift;
		shift += 5;
		if (digit & 32) continue;
		found.push(value & 1 ? -(value >> 1) : value >> 1);
		value = shift = 0;
	}
	return found;
}

/**
 * Parses a source map (version 3).
 * @returns function that finds the source position for a line and column of the output, both 1-based; `null` if there
 * is none
 * @throws Error if `json` is not a source map
 */
export function readSourceMap(json: string): (line: number, column: number) => Place | null {
	const { sources, mappings } = SourceMap.parse(JSON.parse(json));
	let source = 0;
	let line = 0;
	let column = 0;
	const lines = mappings.split(';').map((row) => {
		let at = 0;
		return row
			.split(',')
			.filter(Boolean)
			.flatMap((text): Segment[] => {
				const [step = 0, toSource, toLine = 0, toColumn = 0] = numbers(text);
				at += step;
				if (toSource === undefined) return [];
				source += toSource;
				line += toLine;
				column += toColumn;
				return [[at, source, line, column]];
			});
	});
	return (atLine, atColumn) => {
		const found = (lines[atLine - 1] ?? []).findLast(([start]) => start <= atColumn - 1);
		const file = found && sources[found[1]];
		return found && file !== undefined ? { file, line: found[2] + 1, column: found[3] + 1 } : null;
	};
}
