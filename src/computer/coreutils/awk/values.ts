/** Text of the input that looks like a number: it compares as one. */
export class NumericText {
	constructor(
		readonly text: string,
		readonly number: number
	) {}
}

/** A value; `undefined` was never set and is both 0 and the empty text. */
export type Value = number | string | NumericText | undefined;
export type AwkArray = Map<string, Value>;

const NUMBER = /^[ \t\n\r]*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?[ \t\n\r]*$/;
const LEADING = /^[ \t\n\r]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/;

/** Text that came from outside. */
export function fromInput(text: string): Value {
	const code = text.charCodeAt(0);
	// Most text starts with a letter: no need to look further.
	if (code > 57 || text === '') return text;
	return NUMBER.test(text) ? new NumericText(text, Number(text)) : text;
}

export function toNumber(value: Value): number {
	if (typeof value === 'number') return value;
	if (value === undefined) return 0;
	if (typeof value !== 'string') return value.number;
	const match = LEADING.exec(value);
	return match ? Number(match[1]) : 0;
}

export function isTrue(value: Value): boolean {
	if (typeof value === 'number') return value !== 0;
	if (typeof value === 'string') return value !== '';
	return value !== undefined && value.number !== 0;
}

export function toText(value: Value, format: string): string {
	if (typeof value === 'string') return value;
	if (value === undefined) return '';
	if (typeof value !== 'number') return value.text;
	if (Number.isInteger(value)) return Math.abs(value) < 1e16 ? String(value) : formatNumber(value, 'd', {});
	return sprintf(format, [value], format);
}

/** Below, equal or above 0, as `<` and `==` see it. */
export function compare(left: Value, right: Value, format: string): number {
	if (typeof left !== 'string' && typeof right !== 'string') {
		return toNumber(left) - toNumber(right);
	}
	const [a, b] = [toText(left, format), toText(right, format)];
	return a < b ? -1 : a > b ? 1 : 0;
}

interface Shape {
	precision?: number | undefined;
	alternative?: boolean;
}

/** `printf`'s formats over awk's values. */
export function sprintf(format: string, values: readonly Value[], numberFormat: string): string {
	let next = 0;
	return format.replace(
		/%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?[hlLjzt]*([diouxXeEfFgGcsa%])|%/g,
		(whole: string, flags?: string, widthText?: string, precisionText?: string, kind?: string) => {
			if (kind === undefined || flags === undefined) return whole;
			if (kind === '%') return '%';
			const star = (text: string | undefined) =>
				text === '*' ? toNumber(values[next++]) : text === undefined ? undefined : Number(text);
			let width = star(widthText) ?? 0;
			const dot = /\.\D*$|\.\d/.test(whole.slice(0, -1));
			const precision = star(precisionText) ?? (dot ? 0 : undefined);
			const value = values[next++];
			let left = flags.includes('-');
			if (width < 0) [left, width] = [true, -width];
			let text: string;
			if (kind === 's') text = toText(value, numberFormat).slice(0, precision);
			else if (kind === 'c')
				text =
					typeof value === 'number'
						? String.fromCodePoint(value & 0x1fffff)
						: ([...toText(value, numberFormat)][0] ?? '');
			else {
				text = formatNumber(toNumber(value), kind, { precision, alternative: flags.includes('#') });
				if (!text.startsWith('-')) text = (flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '') + text;
				const zero = flags.includes('0') && !left && !('diouxX'.includes(kind) && precision !== undefined);
				if (zero)
					text = text.replace(
						/^([-+ ]?)(.*)$/,
						(_all, sign: string, digits: string) => sign + digits.padStart(width - sign.length, '0')
					);
			}
			return left ? text.padEnd(width) : text.padStart(width);
		}
	);
}

function formatNumber(value: number, kind: string, { precision, alternative }: Shape): string {
	if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value < 0 ? '-inf' : 'inf';
	switch (kind) {
		case 'd':
		case 'i':
		case 'u': {
			const digits = BigInt(Math.trunc(Math.abs(value)))
				.toString()
				.padStart(precision ?? 1, '0');
			return Math.trunc(value) < 0 ? `-${digits}` : digits;
		}
		case 'o':
		case 'x':
		case 'X': {
			const digits = BigInt.asUintN(64, BigInt(Math.trunc(value))).toString(kind === 'o' ? 8 : 16);
			const text = `${alternative ? (kind === 'o' ? '0' : '0x') : ''}${digits.padStart(precision ?? 1, '0')}`;
			return kind === 'X' ? text.toUpperCase() : text;
		}
		case 'f':
		case 'F':
			return value.toFixed(Math.min(100, precision ?? 6));
		case 'e':
		case 'E': {
			const text = exponent(value, precision ?? 6);
			return kind === 'E' ? text.toUpperCase() : text;
		}
		default: {
			const digits = Math.max(1, precision ?? 6);
			const power = value === 0 ? 0 : Number(value.toExponential(digits - 1).split('e')[1]);
			let text =
				power < -4 || power >= digits ? exponent(value, digits - 1) : value.toFixed(Math.min(100, digits - 1 - power));
			if (!alternative && text.includes('.')) text = text.replace(/\.?0+(e|$)/, '$1');
			return kind === 'G' ? text.toUpperCase() : text;
		}
	}
}

const exponent = (value: number, digits: number) =>
	value.toExponential(Math.min(100, digits)).replace(/e([-+])(\d)$/, 'e$10$2');
