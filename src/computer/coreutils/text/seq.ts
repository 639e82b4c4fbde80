import { formatPrintf } from '#computer/shell/builtins/printf.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';
import { TextOutput } from '../input/text-output.ts';
import { UsageError, utility } from '../options.ts';

/** Exact operand: `mantissa` divided by 10 to the power of `decimals`. */
interface Operand {
	mantissa: bigint;
	decimals: number;
	isInfinite: boolean;
	/** Number of decimals to show; null if the number's form does not determine it. */
	precision: number | null;
	/** Width of the number in characters. */
	width: number;
}

/** Maximum number of digits stored; numbers with larger exponents become infinite or zero. */
const MOST_DIGITS = 5000;

const sequence = utility('+s|separator= f|format= w|equal-width', async (call, options) => {
	const { operands } = options;
	if (operands.length === 0) throw new UsageError('missing operand');
	if (operands.length > 3) throw new UsageError(`extra operand '${operands[3]}'`);
	const format = options.get('f');
	if (format !== undefined) checkFormat(format);
	if (format !== undefined && options.has('w'))
		throw new UsageError('format string may not be specified when printing equal width strings', true);
	const read = operands.map(readOperand);
	const ONE = readOperand('1');
	const last = read.at(-1) ?? ONE;
	const first = read.length > 1 ? (read[0] ?? ONE) : ONE;
	const step = read.length > 2 ? (read[1] ?? ONE) : ONE;
	if (step.mantissa === 0n && !step.isInfinite)
		throw new UsageError(`invalid Zero increment value: '${operands[1]}'`, true);
	const show = shower(first, step, last, format, options.has('w'));
	const separator = options.get('s') ?? '\n';
	const out = new TextOutput(call);
	let isFirst = true;
	for (const value of values(first, step, last)) {
		out.add((isFirst ? '' : separator) + show(value));
		isFirst = false;
		if (!out.full) continue;
		await out.flush();
		await call.shell.control.yieldIfDue();
	}
	if (!isFirst) out.add('\n');
	await out.flush();
	return 0;
});

const NUMBER = /^-(?:[\d.]|inf|nan)/i;

/** `seq`. A negative number is an operand, not an option. */
export const seq: BuiltIn = (call) => {
	const isValue = (index: number) => /^-\w*[sf]$|^--(?:sep|form)\w*$/.test(call.args[index - 1] ?? '');
	const at = call.args.findIndex(
		(arg, index) => !isValue(index) && (arg === '--' || NUMBER.test(arg) || arg[0] !== '-')
	);
	const args = NUMBER.test(call.args[at] ?? '') ? call.args.toSpliced(at, 0, '--') : call.args;
	return sequence({ ...call, args });
};

/** Exact values as decimal text. */
function* values(first: Operand, step: Operand, last: Operand): Generator<string> {
	if (first.isInfinite || step.isInfinite) {
		for (const isEndless = first.isInfinite && last.isInfinite; isEndless;) yield first.mantissa < 0n ? '-inf' : 'inf';
		if (!first.isInfinite) yield decimal(first.mantissa, first.decimals);
		return;
	}
	const scale = Math.max(first.decimals, step.decimals, last.isInfinite ? 0 : last.decimals);
	const at = ({ mantissa, decimals }: Operand) => mantissa * 10n ** BigInt(scale - decimals);
	const [by, shown] = [at(step), Math.max(first.decimals, step.decimals)];
	const isRising = by > 0n;
	const end = last.isInfinite ? null : at(last);
	if (last.isInfinite && last.mantissa > 0n !== isRising) return;
	const hidden = 10n ** BigInt(scale - shown);
	for (let value = at(first); end === null || (isRising ? value <= end : value >= end); value += by)
		yield decimal(value / hidden, shown);
}

function decimal(mantissa: bigint, decimals: number): string {
	if (decimals === 0) return String(mantissa);
	const digits = String(mantissa < 0n ? -mantissa : mantissa).padStart(decimals + 1, '0');
	return `${mantissa < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

function shower(
	first: Operand,
	step: Operand,
	last: Operand,
	format: string | undefined,
	isEqual: boolean
): (value: string) => string {
	if (format !== undefined) return (value) => formatPrintf(format, [value]).text;
	if (first.precision === null || step.precision === null || last.precision === null)
		return (value) => formatPrintf('%g', [value]).text;
	const digits = Math.max(first.precision, step.precision);
	const pointed = ({ width, precision }: Operand) =>
		width + digits - (precision ?? 0) + (digits > 0 ? 1 : 0) - ((precision ?? 0) > 0 ? 1 : 0);
	const width = isEqual ? Math.max(pointed(first), pointed(last)) : 0;
	return (value) => {
		const [, sign = '', whole = '', fraction = ''] = /^(-?)([^.]*)\.?(.*)$/.exec(value) ?? [];
		const text = digits > 0 && whole !== 'inf' ? `${whole}.${fraction.padEnd(digits, '0').slice(0, digits)}` : whole;
		return sign + text.padStart(width - sign.length, '0');
	};
}

/** @throws UsageError */
function readOperand(text: string): Operand {
	const number = text.replace(/^[\s+]*/, '');
	if (/^-?nan$/i.test(number)) throw new UsageError("invalid 'not-a-number' argument: 'nan'", true);
	const [infinite, minus] = /^(-?)inf(?:inity)?$/i.exec(number) ?? [];
	if (infinite !== undefined)
		return { mantissa: minus ? -1n : 1n, decimals: 0, isInfinite: true, precision: 0, width: 0 };
	if (/^-?0x[\da-f]/i.test(number)) return readHexadecimal(number, text);
	const [, sign = '', whole = '', point = '', fraction = '', exponent = ''] =
		/^(-?)(\d*)(\.?)(\d*)(?:e([-+]?\d+))?$/i.exec(number) ?? [];
	if (whole + fraction === '') throw new UsageError(`invalid floating point argument: '${text}'`, true);
	const power = Number(exponent || 0);
	const isTiny = power < -MOST_DIGITS;
	const mantissa = isTiny ? 0n : BigInt(whole + fraction) * (sign ? -1n : 1n);
	const decimals = isTiny ? 0 : fraction.length - power;
	const precision = Math.max(0, fraction.length - power);
	const isInfinite = power > MOST_DIGITS && mantissa !== 0n;
	// A zero is added before a leading point, and a trailing point is not shown.
	const shown = sign.length + (whole.length || 1) + (fraction ? 1 + fraction.length : 0);
	const moved =
		power < 0 ? -power + (fraction || (point && whole === '') ? 0 : 1) : power - Math.min(fraction.length, power);
	const width = shown + moved - (power > 0 && fraction && precision === 0 ? 1 : 0);
	if (decimals >= 0 || isInfinite) return { mantissa, decimals: Math.max(0, decimals), isInfinite, precision, width };
	return { mantissa: mantissa * 10n ** BigInt(-decimals), decimals: 0, isInfinite, precision, width };
}

/** @throws UsageError */
function readHexadecimal(number: string, text: string): Operand {
	const [, sign = '', whole = '', fraction = '', exponent] =
		/^(-?)0x([\da-f]*)\.?([\da-f]*)(?:p([-+]?\d+))?$/i.exec(number) ?? [];
	if (whole + fraction === '') throw new UsageError(`invalid floating point argument: '${text}'`, true);
	const isWhole = !number.includes('.') && exponent === undefined;
	const digits = BigInt(`0x${whole}${fraction}`) * (sign ? -1n : 1n);
	const power = Number(exponent ?? 0) - 4 * fraction.length;
	const precision = isWhole ? 0 : null;
	if (power >= 0)
		return { mantissa: digits * 2n ** BigInt(power), decimals: 0, isInfinite: false, precision, width: 0 };
	// Dividing by 2 is multiplying by 5 and dividing by 10.
	return { mantissa: digits * 5n ** BigInt(-power), decimals: -power, isInfinite: false, precision, width: 0 };
}

/** @throws UsageError unless a format has exactly one directive, for a floating-point number */
function checkFormat(format: string): void {
	const directives = [...format.replaceAll('%%', '').matchAll(/%(?:[-+#0 '])*\d*(?:\.\d*)?(?:L)?(.?)/gs)];
	const [letter] = directives.map(([, letter = '']) => letter);
	if (letter === undefined) throw new UsageError(`format '${format}' has no % directive`, false);
	if (letter === '') throw new UsageError(`format '${format}' ends in %`, false);
	if (!/[efgaEFGA]/.test(letter)) throw new UsageError(`format '${format}' has unknown %${letter} directive`, false);
	if (directives.length > 1) throw new UsageError(`format '${format}' has too many % directives`, false);
}
