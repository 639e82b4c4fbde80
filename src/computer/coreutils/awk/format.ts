import { RegexValue, toNumber, NumericText, type Value } from './values.ts';

/** Reports problems with a format; most are only printed with `--lint`. */
export interface FormatFaults {
	fatal(text: string): never;
	lint(text: string): void;
}

const QUIET: FormatFaults = {
	fatal: (text) => {
		throw new Error(text);
	},
	lint: () => undefined
};

export function toText(value: Value, format: string): string {
	if (typeof value === 'string') return value;
	if (value === undefined || value === null) return '';
	if (value instanceof NumericText) return value.text;
	if (value instanceof RegexValue) return value.source;
	if (Number.isInteger(value)) {
		if (Math.abs(value) < 1e16) return Object.is(value, -0) ? '-0' : String(value);
		return formatNumber(value, 'd', {});
	}
	if (!Number.isFinite(value)) return special(value, '');
	return sprintf(format, [value], format);
}

const special = (value: number, flags: string): string => {
	const word = Number.isNaN(value) ? 'nan' : 'inf';
	return `${value < 0 ? '-' : flags.includes(' ') ? ' ' : '+'}${word}`;
};

interface Shape {
	precision?: number | undefined;
	alternative?: boolean;
	group?: boolean;
}

const SPECIFICATION =
	/%(?:(\d+)\$)?([-+ #0']*)(\*(?:\d+\$)?|-?\d+)?(?:\.(\*(?:\d+\$)?|-?\d+)?)?[hlLjzt]*([diouxXeEfFgGaAcs%])|%/g;

/** Formats awk's values like `printf`. */
export function sprintf(format: string, values: readonly Value[], numberFormat: string, faults = QUIET): string {
	let next = 0;
	let used: 'counted' | 'plain' | null = null;
	const take = (count: string | undefined): Value => {
		const kind = count === undefined ? 'plain' : 'counted';
		if (used !== null && used !== kind) faults.fatal("fatal: must use `count$' on all formats or none");
		used = kind;
		const index = count === undefined ? next++ : Number(count) - 1;
		if (count !== undefined && index < 0) faults.fatal("fatal: argument index with `$' must be > 0");
		if (index >= values.length && count === undefined) throw new OutOfArguments();
		if (index >= values.length)
			faults.fatal(`fatal: argument index ${count} greater than total number of supplied arguments`);
		return values[index];
	};
	try {
		return format.replace(
			SPECIFICATION,
			(whole: string, count?: string, flags?: string, width?: string, precision?: string, kind?: string) => {
				if (kind === undefined) {
					faults.lint('[s]printf: format specifier does not have control letter');
					return whole;
				}
				if (kind === '%') return '%';
				return one({ whole, count, flags: flags ?? '', width, precision, kind }, take, numberFormat);
			}
		);
	} catch (error) {
		if (!(error instanceof OutOfArguments)) throw error;
		return faults.fatal('not enough arguments to satisfy format string');
	}
}

class OutOfArguments extends Error {}

interface Specification {
	whole: string;
	count: string | undefined;
	flags: string;
	width: string | undefined;
	precision: string | undefined;
	kind: string;
}

function one(given: Specification, take: (count: string | undefined) => Value, numberFormat: string): string {
	const star = (text: string | undefined) =>
		text === undefined
			? undefined
			: text.startsWith('*')
				? Math.trunc(toNumber(take(/\d+/.exec(text)?.[0])))
				: Number(text);
	const { flags, kind } = given;
	let width = star(given.width) ?? 0;
	const hasDot = /\.[^$]*$/.test(given.whole.replace(/^%\d+\$/, ''));
	let precision = star(given.precision) ?? (hasDot ? 0 : undefined);
	if (precision !== undefined && precision < 0) precision = undefined;
	let isLeft = flags.includes('-');
	if (width < 0) [isLeft, width] = [true, -width];
	const value = take(given.count);
	const text = body(value, kind, flags, width, precision, isLeft, numberFormat);
	const padding = ' '.repeat(Math.max(0, width - lengthOf(text)));
	return isLeft ? text + padding : padding + text;
}

const lengthOf = (text: string) => (/[\ud800-\udbff]/.test(text) ? [...text].length : text.length);

function body(
	value: Value,
	kind: string,
	flags: string,
	width: number,
	precision: number | undefined,
	isLeft: boolean,
	numberFormat: string
): string {
	if (kind === 's') {
		const text = toText(value, numberFormat);
		return precision === undefined ? text : [...text].slice(0, precision).join('');
	}
	if (kind === 'c') return character(value, numberFormat);
	const number = toNumber(value);
	const isInteger = 'diouxX'.includes(kind);
	const shape = { precision, alternative: flags.includes('#'), group: flags.includes("'") };
	// Values that are not integers are formatted as with `%g`.
	let text = Number.isFinite(number)
		? formatNumber(isInteger ? Math.trunc(number) : number, kind, shape)
		: special(number, flags);
	if (Number.isFinite(number) && !/^[-+]/.test(text) && !'ouxX'.includes(kind))
		text = (flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '') + text;
	const isZeroed = flags.includes('0') && !isLeft && Number.isFinite(number) && !(isInteger && precision !== undefined);
	if (!isZeroed) return text;
	return text.replace(
		/^([-+ ]?(?:0[xX])?)(.*)$/,
		(_all, sign: string, digits: string) => sign + digits.padStart(width - sign.length, '0')
	);
}

function character(value: Value, numberFormat: string): string {
	if (typeof value === 'number' || value instanceof NumericText) {
		const code = Math.trunc(toNumber(value));
		if (code >= 0 && code < 0x110000 && !(code >= 0xd800 && code < 0xe000)) return String.fromCodePoint(code);
		const byte = ((code % 256) + 256) % 256;
		return byte < 0x80 ? String.fromCharCode(byte) : String.fromCharCode(0xdc00 + byte);
	}
	return [...toText(value, numberFormat)][0] ?? '';
}

function formatNumber(value: number, kind: string, { precision, alternative, group }: Shape): string {
	switch (kind) {
		case 'd':
		case 'i':
		case 'u': {
			let digits = BigInt(Math.trunc(Math.abs(value))).toString();
			if (precision === 0 && value === 0) digits = '';
			if (group) digits = digits.replace(/\B(?=(\d{3})+$)/g, ',');
			digits = digits.padStart(precision ?? 1, '0');
			return Math.trunc(value) < 0 ? `-${digits}` : digits;
		}
		case 'o':
		case 'x':
		case 'X': {
			if (value < 0) return formatNumber(value, 'd', { precision });
			const plain = BigInt(Math.trunc(value)).toString(kind === 'o' ? 8 : 16);
			let digits = (precision === 0 && value === 0 ? '' : plain).padStart(precision ?? 1, '0');
			if (alternative && kind === 'o' && !digits.startsWith('0')) digits = `0${digits}`;
			const text = `${alternative && kind !== 'o' && value !== 0 ? '0x' : ''}${digits}`;
			return kind === 'X' ? text.toUpperCase() : text;
		}
		case 'f':
		case 'F': {
			const text = fixed(value, precision ?? 6);
			return alternative && !text.includes('.') ? `${text}.` : text;
		}
		case 'e':
		case 'E': {
			const text = exponent(value, precision ?? 6, alternative ?? false);
			return kind === 'E' ? text.toUpperCase() : text;
		}
		case 'a':
		case 'A':
			return hexadecimal(value, kind);
		default:
			return general(value, kind, precision, alternative ?? false);
	}
}

/** `toFixed` for any size and precision. */
function fixed(value: number, digits: number): string {
	if (Math.abs(value) < 1e21) {
		const text = value.toFixed(Math.min(100, digits)) + '0'.repeat(Math.max(0, digits - 100));
		return Object.is(value, -0) || (value < 0 && !text.startsWith('-')) ? `-${text.replace('-', '')}` : text;
	}
	const whole = BigInt(value).toString();
	return digits > 0 ? `${whole}.${'0'.repeat(digits)}` : whole;
}

function general(value: number, kind: string, precision: number | undefined, alternative: boolean): string {
	const digits = precision === 0 ? 1 : (precision ?? 6);
	const power = value === 0 ? 0 : Number(value.toExponential(Math.min(100, digits - 1)).split('e')[1]);
	let text =
		power < -4 || power >= digits ? exponent(value, digits - 1, alternative) : fixed(value, digits - 1 - power);
	if (!alternative && text.includes('.')) text = text.replace(/\.?0+(e|$)/, '$1');
	if (alternative && !text.includes('.')) text = text.replace(/(?=e|$)/, '.');
	return kind === 'G' ? text.toUpperCase() : text;
}

function exponent(value: number, digits: number, alternative: boolean): string {
	const text = value.toExponential(Math.min(100, digits)).replace(/e([-+])(\d)$/, 'e$10$2');
	const signed = Object.is(value, -0) ? `-${text}` : text;
	return alternative && digits === 0 ? signed.replace('e', '.e') : signed;
}

function hexadecimal(value: number, kind: string): string {
	if (value === 0) return kind === 'A' ? '0X0P+0' : '0x0p+0';
	let power = Math.floor(Math.log2(Math.abs(value)));
	let mantissa = Math.abs(value) / 2 ** power;
	if (mantissa >= 2) [mantissa, power] = [mantissa / 2, power + 1];
	const digits = (mantissa - 1).toString(16).slice(2);
	const text = `${value < 0 ? '-' : ''}0x1${digits === '' ? '' : `.${digits}`}p${power < 0 ? '' : '+'}${power}`;
	return kind === 'A' ? text.toUpperCase() : text;
}
