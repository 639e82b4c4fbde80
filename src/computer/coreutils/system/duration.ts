const UNITS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** Parses `5`, `.5m`, `1e3`, `0x1p2`, `inf` as seconds, for `sleep` and `timeout`; null if invalid. */
export function secondsOf(text: string): number | null {
	const [, sign = '', number = '', unit = ''] =
		/^\s*(\+?)(inf(?:inity)?|0x[\da-f.]+(?:p[-+]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)([smhd]?)$/i.exec(text) ?? [];
	if (number === '' && sign === '') return null;
	const factor = UNITS[unit];
	const value = valueOf(number.toLowerCase());
	return factor === undefined || value === null ? null : value * factor;
}

function valueOf(number: string): number | null {
	if (number.startsWith('inf')) return Infinity;
	if (!number.startsWith('0x')) return Number(number);
	const [, whole = '', fraction = '', exponent = '0'] =
		/^0x([\da-f]*)\.?([\da-f]*)(?:p([-+]?\d+))?$/.exec(number) ?? [];
	if (whole + fraction === '') return null;
	return parseInt(`0${whole}${fraction}`, 16) * 2 ** (Number(exponent) - 4 * fraction.length);
}
