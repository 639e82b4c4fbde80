/** A truth value as settings write it; null for what is none. */
export function booleanOf(text: string): boolean | null {
	const word = text.toLowerCase();
	if (['true', 'yes', 'on'].includes(word)) return true;
	if (['', 'false', 'no', 'off'].includes(word)) return false;
	const number = integerOf(text);
	return number === null ? null : number !== 0;
}

const UNITS: Record<string, number> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** A number with an optional `k`, `m` or `g`; null for what is none. */
export function integerOf(text: string): number | null {
	const [, digits, unit = ''] = /^\s*([+-]?(?:0x[0-9a-f]+|\d+))([kmg]?)$/i.exec(text) ?? [];
	return digits === undefined ? null : Number(digits) * (UNITS[unit.toLowerCase()] ?? 1);
}

const COLORS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const ATTRIBUTES: Record<string, number> = { bold: 1, dim: 2, italic: 3, ul: 4, blink: 5, reverse: 7, strike: 9 };
const ATTRIBUTES_OFF: Record<string, number> = {
	bold: 22,
	dim: 22,
	italic: 23,
	ul: 24,
	blink: 25,
	reverse: 27,
	strike: 29
};

/** The escape sequence of a color's words (`red bold`); null for what is none. */
function colorOf(text: string): string | null {
	const codes: number[][] = [];
	let colors = 0;
	let isReset = false;
	for (const word of text.toLowerCase().split(/\s+/).filter(Boolean)) {
		const off = /^no-?(.*)$/.exec(word)?.[1];
		const found = colorCode(word, colors > 0);
		if (word === 'reset') isReset = true;
		else if (ATTRIBUTES[word] !== undefined) codes.push([ATTRIBUTES[word]]);
		else if (off !== undefined && ATTRIBUTES_OFF[off] !== undefined) codes.push([ATTRIBUTES_OFF[off]]);
		else if (found && colors < 2) {
			codes.push(found);
			colors++;
		} else return null;
	}
	const shown = codes.filter((code) => code.length > 0).sort((a, b) => Number(isColor(a)) - Number(isColor(b)));
	if (shown.length === 0 && !isReset) return '';
	return `\x1b[${[...(isReset ? [''] : []), ...shown.map((code) => code.join(';'))].join(';')}m`;
}

const isColor = ([first = 0]: number[]): boolean => first >= 30;

/** Parameters of a foreground or background color; none for `normal`. */
function colorCode(word: string, isBackground: boolean): number[] | null {
	const base = isBackground ? 40 : 30;
	if (word === 'normal' || word === '-1') return [];
	if (word === 'default') return [base + 9];
	const bright = word.startsWith('bright');
	const index = COLORS.indexOf(word.replace(/^bright/, ''));
	if (index >= 0) return [base + index + (bright ? 60 : 0)];
	const rgb = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(word);
	if (rgb) return [base + 8, 2, ...rgb.slice(1).map((pair) => Number.parseInt(pair, 16))];
	if (!/^\d+$/.test(word) || Number(word) > 255) return null;
	const number = Number(word);
	if (number < 8) return [base + number];
	return number < 16 ? [base + 60 + number - 8] : [base + 8, 5, number];
}
