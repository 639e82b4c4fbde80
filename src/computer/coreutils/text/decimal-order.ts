/** A decimal number as written: sign, exponent of its first digit, and digits without leading and trailing zeros. */
interface Decimal {
	sign: -1 | 0 | 1;
	power: number;
	digits: string;
}

function read(text: string): Decimal {
	const [, minus = '', whole = '', fraction = '', exponent = '0'] =
		/^\s*(-?)\+?(\d*)\.?(\d*)(?:e([-+]?\d+))?/i.exec(text) ?? [];
	const all = whole + fraction;
	const leading = /^0*/.exec(all)?.[0].length ?? 0;
	const digits = all.slice(leading).replace(/0+$/, '');
	if (digits === '') return { sign: 0, power: 0, digits };
	return { sign: minus ? -1 : 1, power: whole.length - leading + Number(exponent), digits };
}

/** Compares two decimal numbers of any length exactly; text may follow them. */
export function compareDecimals(a: string, b: string): number {
	const [x, y] = [read(a), read(b)];
	if (x.sign !== y.sign) return x.sign - y.sign;
	if (x.power !== y.power) return x.sign * (x.power - y.power);
	return x.sign * (x.digits < y.digits ? -1 : x.digits > y.digits ? 1 : 0);
}
