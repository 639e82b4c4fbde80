/** Parses a boolean as written in settings; null if it is none. */
export function booleanOf(text: string): boolean | null {
	const word = text.toLowerCase();
	if (['true', 'yes', 'on'].includes(word)) return true;
	if (['', 'false', 'no', 'off'].includes(word)) return false;
	const number = integerOf(text);
	return number === null ? null : number !== 0;
}

const UNITS: Record<string, number> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** Parses an integer with an optional `k`, `m` or `g`; null if it is none. */
export function integerOf(text: string): number | null {
	const [, digits, unit = ''] = /^\s*([+-]?(?:0x[0-9a-f]+|\d+))([kmg]?)$/i.exec(text) ?? [];
	return digits === undefined ? null : Number(digits) * (UNITS[unit.toLowerCase()] ?? 1);
}
