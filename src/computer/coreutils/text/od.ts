import { UsageError, utility } from '../options.ts';
import { bytesOf, rows } from './byte-rows.ts';
import { CONTROL_NAMES, escapedByte, visible } from './byte-text.ts';

const NAMES = [...CONTROL_NAMES, 'sp'];
const SIZES: Record<string, number> = { C: 1, S: 2, I: 4, L: 8, '': 4 };
const FLOAT_SIZES: Record<string, number> = { F: 4, D: 8, L: 16, '': 8 };
/** Number of digits of the largest number with 1, 2, 4 and 8 bytes. */
const WIDTHS: Record<string, readonly number[]> = {
	x: [2, 4, 8, 16],
	o: [3, 6, 11, 22],
	u: [3, 5, 10, 20],
	d: [4, 6, 11, 20],
	f: [0, 0, 15, 24]
};
/** Formats of the traditional one-letter options. */
const SHORT: Record<string, string> = {
	...{ a: 'a', b: 'o1', c: 'c', d: 'u2', f: 'fF', o: 'o2', s: 'd2', x: 'x2', i: 'd4', l: 'd8' }
};

/** One output format. */
interface Format {
	kind: string;
	/** Number of bytes per item. */
	size: number;
	/** Number of columns per item, without the blank before it. */
	width: number;
	/** Set if rows end with their printable characters. */
	isVisible: boolean;
}

/** Parses the value of `-t`: one or several types. @throws UsageError */
function formatsOf(text: string): Format[] {
	const formats: Format[] = [];
	let rest = text;
	while (rest !== '') {
		const match = /^([ac]|[doux](?:\d+|[CSIL])?|f(?:\d+|[FDL])?)(z?)/.exec(rest);
		const kind = match?.[1]?.[0];
		if (!match || kind === undefined) throw new UsageError(`invalid type string '${text}'`);
		const sizeText = match[1]?.slice(1) ?? '';
		const sizes = kind === 'f' ? FLOAT_SIZES : SIZES;
		const size = 'ac'.includes(kind) ? 1 : (sizes[sizeText] ?? Number(sizeText));
		const width = 'ac'.includes(kind) ? 3 : WIDTHS[kind]?.[Math.log2(size)];
		if (!width)
			throw new UsageError(
				`invalid type string '${text}';\nthis system doesn't provide a ${size}-byte ${kind === 'f' ? 'floating point' : 'integral'} type`
			);
		formats.push({ kind, size, width, isVisible: match[2] === 'z' });
		rest = rest.slice(match[0].length);
	}
	return formats;
}

function itemText({ kind, size, width }: Format, piece: Uint8Array): string {
	const byte = piece[0] ?? 0;
	if (kind === 'c') return escapedByte(byte);
	if (kind === 'a') return (byte & 127) === 127 ? 'del' : (NAMES[byte & 127] ?? String.fromCharCode(byte & 127));
	if (kind === 'f') return floatText(piece, size);
	let value = [...piece].reduceRight((sum, one) => sum * 256n + BigInt(one), 0n);
	if (kind === 'd') value = BigInt.asIntN(size * 8, value);
	const text = value.toString(kind === 'x' ? 16 : kind === 'o' ? 8 : 10);
	return 'xo'.includes(kind) ? text.padStart(width, '0') : text;
}

/** Formats a number with the fewest digits that distinguish it from all others of its size. */
function floatText(piece: Uint8Array, size: number): string {
	const bytes = new Uint8Array(size);
	bytes.set(piece);
	const view = new DataView(bytes.buffer);
	const value = size === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
	if (!Number.isFinite(value))
		return Number.isNaN(value) ? (view.getInt8(size - 1) < 0 ? '-nan' : 'nan') : value < 0 ? '-inf' : 'inf';
	if (value === 0) return Object.is(value, -0) ? '-0' : '0';
	const isSame = (text: string): boolean => (size === 4 ? Math.fround(Number(text)) : Number(text)) === value;
	let digits = 1;
	while (!isSame(value.toPrecision(digits))) digits++;
	const [mantissa = '', power = '0'] = value.toExponential(digits - 1).split('e');
	const exponent = Number(power);
	if (exponent >= -4 && exponent < digits) return value.toFixed(digits - 1 - exponent);
	return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** Parses a traditional offset operand: octal, decimal with `.`, in blocks with `b`. */
function oldOffset(text: string): number | null {
	const [, hexadecimal, digits = '', point, block] = /^\+?(?:0x([\da-f]+)|(\d+)(\.?))(b?)$/i.exec(text) ?? [];
	if (hexadecimal === undefined && digits === '') return null;
	const number = hexadecimal === undefined ? Number.parseInt(digits, point ? 10 : 8) : Number.parseInt(hexadecimal, 16);
	return number * (block ? 512 : 1);
}

/** Splits operands into files and the number of bytes to skip. */
function operandsOf(operands: readonly string[], isOld: boolean): { files: readonly string[]; skipped: number } {
	const last = operands.at(-1) ?? '';
	const offset = (isOld || last.startsWith('+')) && operands.length <= 2 ? oldOffset(last) : null;
	return offset === null ? { files: operands, skipped: 0 } : { files: operands.slice(0, -1), skipped: offset };
}

/** Formats a row. Rows in different formats have the same length, so blanks are distributed over the items. */
function rowText(format: Format, row: Uint8Array, columns: number, perRow: number, isBig: boolean): string {
	const items = rows(row, format.size).map((item) => (isBig ? item.toReversed() : item));
	const count = perRow / format.size;
	const surplus = columns - count * format.width;
	const until = (index: number) => Math.floor((surplus * (count - index)) / count);
	const text = items.map((item, index) =>
		itemText(format, item).padStart(format.width + until(index) - until(index + 1))
	);
	if (!format.isVisible) return text.join('');
	return `${text.join('').padEnd(columns)}  >${visible(row)}<`;
}

/** `od`, for characters, integers and floating-point numbers. */
export const od = utility(
	'A|address-radix= t|format= a b c d f i l o s x v|output-duplicates N|read-bytes= j|skip-bytes= w|width=? endian= traditional',
	async (call, options) => {
		const { files, skipped: offset } = operandsOf(options.operands, options.has('traditional'));
		const skipped = options.number('j', offset);
		const endian = options.get('endian') ?? 'little';
		if (endian !== 'little' && endian !== 'big')
			throw new UsageError(
				`invalid argument '${endian}' for '--endian'\nValid arguments are:\n  - 'little'\n  - 'big'`,
				true
			);
		const most = options.has('N') ? skipped + options.number('N', 0) : Infinity;
		const { bytes: all, status } = await bytesOf(call, files, most);
		const bytes = all.subarray(skipped, skipped + options.number('N', all.length));
		const given = options.given.flatMap(({ name, value }) => (name === 't' ? [value] : (SHORT[name] ?? [])));
		const formats = (given.length ? given : ['o2']).flatMap(formatsOf);
		const largest = Math.max(...formats.map(({ size }) => size));
		const wanted = options.has('w') ? options.number('w', 32) || 32 : 16;
		const perRow = wanted % largest === 0 ? wanted : largest;
		const columns = Math.max(...formats.map(({ size, width }) => (perRow / size) * (width + 1)));
		const radix = options.get('A') ?? 'o';
		const addressWidth = radix === 'n' ? 0 : radix === 'x' ? 6 : 7;
		const address = (at: number) =>
			radix === 'n' ? '' : at.toString({ o: 8, d: 10, x: 16 }[radix] ?? 8).padStart(addressWidth, '0');
		let output = '';
		let before = '';
		let starred = false;
		for (const [index, row] of rows(bytes, perRow).entries()) {
			const lines = formats.map((format) => rowText(format, row, columns, perRow, endian === 'big'));
			const text = lines.join('\n');
			if (text === before && !options.has('v') && row.length === perRow) {
				if (!starred) output += '*\n';
				starred = true;
				continue;
			}
			[before, starred] = [text, false];
			for (const [at, line] of lines.entries())
				output += `${at === 0 ? address(skipped + index * perRow) : ' '.repeat(addressWidth)}${line}\n`;
		}
		if (radix !== 'n') output += `${address(skipped + bytes.length)}\n`;
		await call.out(output);
		return status;
	}
);
