import { unescape } from '#computer/shell/builtins/printf.ts';
import { UsageError } from '../../options.ts';

/** One conversion of a format, or the text before the next. */
export type Piece = { text: string } | Conversion;

export interface Conversion {
	flags: string;
	width: number;
	precision: number | null;
	/** Letter as in C, or `_a`, `_A`, `_c`, `_p`, `_u`. */
	kind: string;
	/** Number of input bytes it consumes; 0 for addresses. */
	size: number;
}

/** A format with its number of bytes and repetitions. */
export interface Unit {
	pieces: Piece[];
	size: number;
	count: number;
	/** Set if the count was omitted: the last unit fills the block. */
	isOpen: boolean;
	/** Set if it contains the address after the last byte (`%_A`), which is printed once, at the end. */
	isEnd: boolean;
}

const UNIT = /\s*(?:(\d+)?\/?(\d+)?)?\s*"((?:[^"\\]|\\[^])*)"\s*/y;
const CONVERSION = /%([-+ #0]*)(\d*)(?:\.(\d*))?(_[aA][dox]|_[cpu]|[a-zA-Z%])/g;

/** Sizes allowed for each conversion, the default first. */
const SIZES: readonly (readonly [kinds: string, sizes: readonly number[]])[] = [
	['c', [1]],
	['diouxX', [4, 1, 2, 8]],
	['eEfgG', [8, 4]]
];

/**
 * Parses one format of `-e`: units of `COUNT/BYTES "FORMAT"`.
 *
 * @throws UsageError
 */
export function parseFormat(text: string): Unit[] {
	const units: Unit[] = [];
	UNIT.lastIndex = 0;
	while (UNIT.lastIndex < text.length) {
		const [, count, bytes, format] = UNIT.exec(text) ?? [];
		if (format === undefined) throw new UsageError(`bad format {${text}}`);
		const pieces = piecesOf(format, bytes === undefined ? null : Number(bytes));
		const size = pieces.reduce((sum, piece) => sum + ('kind' in piece ? piece.size : 0), 0);
		const isEnd = pieces.some((piece) => 'kind' in piece && piece.kind.startsWith('_A'));
		units.push({ pieces, size, count: Number(count ?? 1), isOpen: count === undefined, isEnd });
	}
	return units;
}

/** Number of bytes that these units consume together. */
export const sizeOf = (units: readonly Unit[]): number => units.reduce((sum, { size, count }) => sum + size * count, 0);

/** Makes the last unit that consumes bytes fill the block, if its count was omitted. */
export function fill(units: Unit[], blockBytes: number): void {
	const last = units.at(-1);
	if (last?.isOpen && last.size > 0) last.count += Math.floor((blockBytes - sizeOf(units)) / last.size);
}

function piecesOf(format: string, bytes: number | null): Piece[] {
	const pieces: Piece[] = [];
	let end = 0;
	const take = (text: string) => {
		if (text !== '') pieces.push({ text: unescape(text, 'format').text });
	};
	for (const match of format.matchAll(CONVERSION)) {
		const [whole, flags = '', width = '', precision, kind = ''] = match;
		take(format.slice(end, match.index));
		end = match.index + whole.length;
		if (kind === '%') pieces.push({ text: '%' });
		else {
			const known = { flags, width: Number(width || 0), precision: precision === undefined ? null : Number(precision) };
			pieces.push({ ...known, kind, size: conversionSize(kind, bytes, known.precision) });
		}
	}
	take(format.slice(end));
	if (bytes !== null && pieces.filter((piece) => 'kind' in piece && piece.size > 0).length > 1)
		throw new UsageError('byte count with multiple conversion characters');
	return pieces;
}

function conversionSize(kind: string, bytes: number | null, precision: number | null): number {
	if (/^_[aA]/.test(kind)) return 0;
	if (/^_[cpu]$/.test(kind)) return 1;
	if (kind === 's') {
		const size = bytes ?? precision;
		if (size === null) throw new UsageError('%s requires a precision or a byte count');
		return size;
	}
	const [, sizes] = SIZES.find(([kinds]) => kinds.includes(kind)) ?? [];
	if (!sizes) throw new UsageError(`bad conversion character %${kind}`);
	if (bytes !== null && !sizes.includes(bytes)) throw new UsageError(`bad byte count for conversion character ${kind}`);
	return bytes ?? sizes[0]!;
}
