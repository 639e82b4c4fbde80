import { UsageError } from '../../options.ts';

const CONVERSION = /%([-#0']*)(\d*)(?:\.(\d*))?(.?)/gs;

/** Parses the format of `-b`: returns a function that makes the suffix from a piece's number. @throws UsageError */
export function suffixFormat(format: string): (number: number) => string {
	let count = 0;
	for (const [whole, , , , letter = ''] of format.matchAll(CONVERSION)) {
		if (whole === '%%') continue;
		if (letter === '') throw new UsageError('missing conversion specifier in suffix');
		if (!/[diuoxX]/.test(letter)) throw new UsageError(`invalid conversion specifier in suffix: ${letter}`);
		const [, flags = ''] = /^%([-#0']*)/.exec(whole) ?? [];
		if (/[diu]/.test(letter) && flags.includes('#'))
			throw new UsageError(`invalid flags in conversion specification: %#${letter}`);
		if (/[oxX]/.test(letter) && flags.includes("'"))
			throw new UsageError(`invalid flags in conversion specification: %'${letter}`);
		count++;
	}
	if (count === 0) throw new UsageError('missing % conversion specification in suffix');
	if (count > 1) throw new UsageError('too many % conversion specifications in suffix');
	return (number) =>
		format.replace(CONVERSION, (whole, flags: string, width: string, precision: string | undefined, letter: string) =>
			whole === '%%' ? '%' : formatted(number, flags, Number(width), precision, letter)
		);
}

function formatted(number: number, flags: string, width: number, precision: string | undefined, letter: string) {
	const base = letter === 'o' ? 8 : /x/i.test(letter) ? 16 : 10;
	let digits = number.toString(base).padStart(Number(precision ?? 1), '0');
	if (precision !== undefined && Number(precision) === 0 && number === 0) digits = '';
	let sign = '';
	if (flags.includes('#') && base === 16 && number > 0) sign = '0x';
	if (flags.includes('#') && base === 8 && !digits.startsWith('0')) sign = '0';
	if (flags.includes('-')) digits = (sign + digits).padEnd(width);
	else if (flags.includes('0') && precision === undefined) digits = sign + digits.padStart(width - sign.length, '0');
	else digits = (sign + digits).padStart(width);
	return letter === 'X' ? digits.toUpperCase() : digits;
}
