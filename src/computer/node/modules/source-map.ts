import { invalidArgument } from '../runtime/errors.ts';
import { decode, type RawMap, type Segment } from '../runtime/source-maps.ts';

/** Source of a generated position. Lines and columns are counted from 0. */
interface Entry {
	generatedLine: number;
	generatedColumn: number;
	originalSource: string | undefined;
	originalLine: number;
	originalColumn: number;
	name: string | undefined;
}

/** Source of a generated position. Lines and columns are counted from 1. */
interface Origin {
	name: string | undefined;
	fileName: string | undefined;
	lineNumber: number;
	columnNumber: number;
}

/** `SourceMap` of `node:module`: a source map, revision 3, that maps generated positions to original ones. */
export class SourceMap {
	readonly #payload: RawMap;
	readonly #lengths: number[] | undefined;
	readonly #lines: Segment[][];

	/**
	 * @param payload parsed source map
	 * @throws TypeError `ERR_INVALID_ARG_TYPE` for anything but an object
	 */
	constructor(payload: RawMap, { lineLengths }: { lineLengths?: number[] } = {}) {
		if (payload === null || typeof payload !== 'object') throw invalidArgument('payload', 'of type object', payload);
		this.#payload = structuredClone(payload);
		this.#lengths = lineLengths && [...lineLengths];
		this.#lines = decode(payload.mappings);
	}

	get payload(): RawMap {
		return structuredClone(this.#payload);
	}

	get lineLengths(): number[] | undefined {
		return this.#lengths && [...this.#lengths];
	}

	/** Last mapping at or before a position, counted from 0; an empty object if there is none. */
	findEntry(lineOffset: number, columnOffset: number): Entry | Record<string, never> {
		for (let line = Math.min(lineOffset, this.#lines.length - 1); line >= 0; line--) {
			const segments = this.#lines[line] ?? [];
			const segment = segments.findLast(([column]) => line < lineOffset || column <= columnOffset);
			if (segment) return this.#entry(line, segment);
		}
		return {};
	}

	/** Original position, counted from 1; an empty object if there is none. */
	findOrigin(lineNumber: number, columnNumber: number): Origin | Record<string, never> {
		const found = this.findEntry(lineNumber - 1, columnNumber - 1);
		if (!isEntry(found)) return {};
		return {
			name: found.name,
			fileName: found.originalSource,
			lineNumber: found.originalLine + lineNumber - found.generatedLine,
			columnNumber: found.originalColumn + columnNumber - found.generatedColumn
		};
	}

	#entry(generatedLine: number, [generatedColumn, source, originalLine, originalColumn, name]: Segment): Entry {
		const originalSource = this.#payload.sources[source];
		return {
			generatedLine,
			generatedColumn,
			originalSource,
			originalLine,
			originalColumn,
			name: name === undefined ? undefined : this.#payload.names?.[name]
		};
	}
}

const isEntry = (found: Entry | Record<string, never>): found is Entry => 'generatedLine' in found;
