import { backslashQuote } from '../expansion/quote.ts';
import { NAMED_ESCAPES } from '../parser/escapes.ts';
import { strftime } from '#computer/coreutils/time/strftime.ts';
import { UTC, type Zone } from '#computer/local-time/zone.ts';
import { encode, rawByte } from '#computer/process/text.ts';

/** Decodes backslash escapes as in `echo -e`, `printf` formats and `%b`. `stop`: `\c` was reached. */
export function unescape(text: string, style: 'echo' | 'value' | 'format'): { text: string; stop: boolean } {
	let result = '';
	for (let index = 0; index < text.length; index++) {
		const char = text[index] ?? '';
		if (char !== '\\') {
			result += char;
			continue;
		}
		const rest = text.slice(index + 1);
		const octal =
			style === 'echo'
				? /^0[0-7]{0,3}/.exec(rest)
				: style === 'value'
					? /^0[0-7]{0,3}|^[0-7]{1,3}/.exec(rest)
					: /^[0-7]{1,3}/.exec(rest);
		const hex = /^x([0-9a-fA-F]{1,2})/.exec(rest);
		const unicode = /^u([0-9a-fA-F]{1,4})|^U([0-9a-fA-F]{1,8})/.exec(rest);
		if (rest.startsWith('c') && style !== 'format') return { text: result, stop: true };
		if (octal) {
			result += rawByte(parseInt(octal[0], 8) & 255);
			index += octal[0].length;
		} else if (hex) {
			result += rawByte(parseInt(hex[1] ?? '0', 16));
			index += hex[0].length;
		} else if (unicode) {
			result += String.fromCodePoint(parseInt(unicode[1] ?? unicode[2] ?? '0', 16));
			index += unicode[0].length;
		} else {
			const known =
				NAMED_ESCAPES[rest[0] ?? ''] ?? (style !== 'echo' && /["'?]/.test(rest[0] ?? '') ? rest[0] : undefined);
			result += known ?? `\\${rest[0] ?? ''}`;
			index++;
		}
	}
	return { text: result, stop: false };
}

/** Diagnostics about values. */
interface Reports {
	problems: string[];
	/** Text after character constants such as `"a`. */
	constants: string[];
}

/**
 * Formats what `printf format values…` writes, reusing the format as long as values are left.
 * @param zone time zone of times
 * @param quote implementation of `%q`
 */
export function formatPrintf(
	format: string,
	values: readonly string[],
	zone: () => Zone = () => UTC,
	quote: (text: string) => string = backslashQuote
): { text: string } & Reports {
	const reports: Reports = { problems: [], constants: [] };
	const queue = [...values];
	let text = '';
	do {
		const before = queue.length;
		const round = once(format, queue, reports, zone, quote);
		text += round.text;
		if (round.stop || queue.length === before) break;
	} while (queue.length > 0);
	return { text, ...reports };
}

function once(
	format: string,
	queue: string[],
	reports: Reports,
	zone: () => Zone,
	quote: (text: string) => string
): { text: string; stop: boolean } {
	const directive =
		/%(%|([-+ #0']*)(\*|\d+)?(?:\.(\*|\d+)?)?[hjlLtz]*([diouxXeEfFgGaAcsbq]|\([^)]*\)T))|\\[0-7]{1,3}|[^%\\]+|\\u[0-9a-fA-F]{1,4}|\\U[0-9a-fA-F]{1,8}|\\x[0-9a-fA-F]{1,2}|\\.|[%\\]/gsu;
	let text = '';
	for (const match of format.matchAll(directive)) {
		const [whole, percent, flags = '', widthText, precisionText, kind] = match;
		if (percent === '%') text += '%';
		else if (kind === undefined) {
			if (whole === '%') {
				// Nothing after an invalid directive is printed either.
				const [, wrong] =
					/^%[-+ #0']*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?[hjlLtz]*(.)?/su.exec(format.slice(match.index)) ?? [];
				reports.problems.push(
					wrong === undefined ? "`%': missing format character" : `\`${wrong}': invalid format character`
				);
				return { text, stop: true };
			}
			text += whole.startsWith('\\') ? unescape(whole, 'format').text : whole;
		} else {
			const star = (part: string | undefined) =>
				part === '*' ? Number(queue.shift() ?? 0) : part === undefined ? undefined : Number(part);
			let width = star(widthText) ?? 0;
			let alignment = flags;
			if (width < 0) {
				alignment += '-';
				width = -width;
			}
			const given = /^%[-+ #0']*(?:\*|\d+)?\./.test(whole) ? (star(precisionText) ?? 0) : -1;
			// A negative precision counts as absent.
			const precision = given < 0 ? undefined : given;
			if (kind === 'b') {
				const escaped = unescape(queue.shift() ?? '', 'value');
				text += pad(escaped.text, width, alignment);
				if (escaped.stop) return { text, stop: true };
			} else if (kind === 'q') text += pad(quote(queue.shift() ?? ''), width, alignment);
			else
				text += pad(
					convert(kind, alignment, precision, queue.shift(), reports, zone),
					width,
					alignment,
					/[diouxXeEfFgG]/.test(kind) && !(precision !== undefined && /[diouxX]/.test(kind))
				);
		}
	}
	return { text, stop: false };
}

function pad(text: string, width: number, flags: string, numeric = false): string {
	const missing = width - [...text].length;
	if (missing <= 0) return text;
	if (flags.includes('-')) return text + ' '.repeat(missing);
	if (!flags.includes('0') || !numeric) return ' '.repeat(missing) + text;
	const sign = /^([-+ ]?(?:0[xX])?)(.*)$/s.exec(text);
	return (sign?.[1] ?? '') + '0'.repeat(missing) + (sign?.[2] ?? text);
}

/** A longer time, including its NUL, is formatted as an empty text. */
const TIME_BUFFER_BYTES = 128;

function convert(
	kind: string,
	flags: string,
	precision: number | undefined,
	value: string | undefined,
	reports: Reports,
	zone: () => Zone
): string {
	if (kind.endsWith('T')) {
		const now = value === undefined || value === '-1' || value === '-2';
		const text = strftime(kind.slice(1, -2) || '%X', now ? Date.now() : Number(value) * 1000, zone());
		return encode(text).length < TIME_BUFFER_BYTES ? [...text].slice(0, precision).join('') : '';
	}
	if (kind === 's') return precision === undefined ? (value ?? '') : [...(value ?? '')].slice(0, precision).join('');
	if (kind === 'c') {
		const [byte] = encode(value ?? '');
		return byte === undefined ? '' : rawByte(byte);
	}
	if (/[diouxX]/.test(kind)) return integer(kind, flags, precision, clamp(kind, toInteger(value ?? '0', reports)));
	return real(kind, flags, precision ?? 6, toReal(value ?? '0', reports));
}

function toInteger(text: string, reports: Reports): bigint {
	const trimmed = text.trimStart();
	if (/^["']/.test(trimmed)) {
		reports.constants.push(trimmed);
		return BigInt(trimmed.codePointAt(1) ?? 0);
	}
	const match = /^([-+]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)/.exec(trimmed);
	if (!match || match[0].length < trimmed.length) {
		if (trimmed !== '' || text !== '') reports.problems.push(`${text}: invalid number`);
	}
	if (!match) return 0n;
	const digits = match[2] ?? '0';
	const number = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits);
	return match[1] === '-' ? -number : number;
}

/** Clamps a number that is too large, like C's functions. */
function clamp(kind: string, number: bigint): bigint {
	const most = kind === 'd' || kind === 'i' ? 0x7fffffffffffffffn : 0xffffffffffffffffn;
	if (number > most) return most;
	if (kind === 'd' || kind === 'i') return number < -0x8000000000000000n ? -0x8000000000000000n : number;
	return number < -most ? most : number;
}

function toReal(text: string, reports: Reports): number {
	if (/^["']/.test(text)) {
		reports.constants.push(text);
		return text.codePointAt(1) ?? 0;
	}
	const number = parseFloat(text);
	if (Number.isNaN(number) || !/^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(text))
		reports.problems.push(`${text}: invalid number`);
	return Number.isNaN(number) ? 0 : number;
}

function integer(kind: string, flags: string, precision: number | undefined, number: bigint): string {
	const unsigned = BigInt.asUintN(64, number);
	let digits: string;
	if (kind === 'd' || kind === 'i' || kind === 'u')
		digits = (kind === 'u' ? unsigned : number < 0n ? -number : number).toString();
	else if (kind === 'o') digits = (flags.includes('#') && number !== 0n ? '0' : '') + unsigned.toString(8);
	else digits = unsigned.toString(16);
	if (precision !== undefined) digits = digits.padStart(precision, '0');
	if (kind === 'x' && flags.includes('#') && number !== 0n) digits = `0x${digits}`;
	if (kind === 'X') digits = (flags.includes('#') && number !== 0n ? '0X' : '') + digits.toUpperCase();
	if (kind !== 'd' && kind !== 'i') return digits;
	return (number < 0n ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '') + digits;
}

function real(kind: string, flags: string, precision: number, number: number): string {
	const sign = number >= 0 ? (flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '') : '';
	const exponent = (text: string) => text.replace(/e([-+])(\d)$/, 'e$10$2');
	let text: string;
	if (/[fF]/.test(kind)) text = toFixedEven(number, precision);
	else if (/[eE]/.test(kind)) text = exponent(number.toExponential(precision));
	else {
		const digits = precision || 1;
		const size = number === 0 ? 0 : Math.floor(Math.log10(Math.abs(Number(number.toPrecision(digits)))));
		text =
			size < -4 || size >= digits
				? exponent(number.toExponential(digits - 1))
				: number.toFixed(Math.max(0, digits - 1 - size));
		if (!flags.includes('#') && text.includes('.')) text = text.replace(/\.?0+($|e)/, '$1');
	}
	if (flags.includes('#') && !text.includes('.')) text = text.replace(/(?=e|$)/, '.');
	return sign + (/[EG]/.test(kind) ? text.toUpperCase() : text);
}

/** Rounds like C: ties to even. JavaScript rounds them up. */
export function toFixedEven(number: number, precision: number): string {
	const text = number.toFixed(precision);
	if (precision > 15) return text;
	const tail = Math.abs(number)
		.toFixed(Math.min(100, precision + 30))
		.slice(-30);
	const isTie = tail.startsWith('5') && /^50*$/.test(tail);
	if (!isTie || Number(text.at(-1)) % 2 === 0) return text;
	const lower = (Math.abs(number) - 0.5 / 10 ** precision).toFixed(precision);
	return (number < 0 ? '-' : '') + lower;
}
