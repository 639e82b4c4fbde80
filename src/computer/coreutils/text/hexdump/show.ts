import { formatPrintf } from '#computer/shell/builtins/printf.ts';
import { decode } from '#computer/process/text.ts';
import { hex } from '../byte-rows.ts';
import { CONTROL_NAMES, escapedByte, isPrintable, visible } from '../byte-text.ts';
import type { Conversion, Unit } from './format.ts';

/** Names of `%_u`. */
const NAMES: Readonly<Record<number, string>> = { ...CONTROL_NAMES, 10: 'lf', 127: 'del' };
const BASES: Readonly<Record<string, number>> = { d: 10, o: 8, x: 16 };

/** The input, and the current block. */
export interface Block {
	bytes: Uint8Array;
	/** Offset of the block. */
	from: number;
	/** Address of the first byte. */
	base: number;
}

/** Formats one block with these units. Bytes after the end of the input are blank. */
export function showBlock(units: readonly Unit[], { bytes, from, base }: Block): string {
	let output = '';
	let at = from;
	for (const { pieces, count, isEnd } of units) {
		if (isEnd) continue;
		for (let round = 1; round <= count; round++) {
			for (const [index, piece] of pieces.entries()) {
				const isTrimmed = count > 1 && round === count && index === pieces.length - 1;
				if ('text' in piece) output += isTrimmed ? piece.text.trimEnd() : piece.text;
				else {
					output += show(piece, bytes.subarray(at, at + piece.size), at + base);
					at += piece.size;
				}
			}
		}
	}
	return output;
}

/** Formats the line with the last address, using the last unit with `%_A`. */
export function showEnd(units: readonly Unit[], address: number): string {
	const last = units.findLast(({ isEnd }) => isEnd);
	const shown = last?.pieces.map((piece) =>
		'text' in piece ? piece.text : show({ ...piece, kind: piece.kind.replace('_A', '_a') }, [], address)
	);
	return shown?.join('') ?? '';
}

function show(conversion: Conversion, given: Uint8Array | never[], address: number): string {
	const { flags, width, precision, kind, size } = conversion;
	if (kind.startsWith('_a')) return number(conversion, address.toString(BASES[kind[2]!]));
	if (given.length === 0) return padded('', flags, width);
	const bytes = new Uint8Array(size);
	bytes.set(given);
	const [byte = 0] = bytes;
	if (kind === '_p') return padded(visible(bytes), flags, width);
	if (kind === 'c') return padded(String.fromCharCode(byte), flags, width);
	if (kind === '_c') return padded(escapedByte(byte), flags, width);
	if (kind === '_u') return padded(namedByte(byte), flags, width);
	if (kind === 's') return padded(decode(bytes.subarray(0, precision ?? size)).replace(/\0.*/s, ''), flags, width);
	const view = new DataView(bytes.buffer);
	if (/[eEfgG]/.test(kind)) {
		const value = size === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
		return formatPrintf(`%${flags}${width || ''}${precision === null ? '' : `.${precision}`}${kind}`, [String(value)])
			.text;
	}
	return whole(conversion, view);
}

function whole(conversion: Conversion, view: DataView): string {
	const { kind, size, flags } = conversion;
	const unsigned = [...new Uint8Array(view.buffer)].reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
	if (kind === 'd' || kind === 'i' || kind === 'u') {
		const value = kind === 'u' ? unsigned : BigInt.asIntN(size * 8, unsigned);
		const sign = value < 0n ? '-' : kind !== 'u' && /[+ ]/.test(flags) ? (flags.includes('+') ? '+' : ' ') : '';
		return number(conversion, String(value < 0n ? -value : value), sign);
	}
	const digits = unsigned.toString(kind === 'o' ? 8 : 16);
	const prefix = flags.includes('#') && unsigned > 0n ? { o: '0', x: '0x', X: '0X' }[kind as 'o' | 'x' | 'X'] : '';
	return number(conversion, kind === 'X' ? digits.toUpperCase() : digits, prefix);
}

/** Pads digits to the precision, and the result to the width. */
function number({ flags, width, precision }: Conversion, digits: string, prefix = ''): string {
	const least = digits.padStart(precision ?? 0, '0');
	const isFilled = flags.includes('0') && !flags.includes('-') && precision === null;
	return padded(prefix + (isFilled ? least.padStart(width - prefix.length, '0') : least), flags, width);
}

const padded = (text: string, flags: string, width: number): string =>
	flags.includes('-') ? text.padEnd(width) : text.padStart(width);

const namedByte = (byte: number): string =>
	NAMES[byte] ?? (isPrintable(byte) ? String.fromCharCode(byte) : hex(byte, 2));
