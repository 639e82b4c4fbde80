const COLORS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white', '', 'default'];
const ATTRIBUTES: Readonly<Record<string, number>> = {
	...{ bold: 1, dim: 2, italic: 3, ul: 4, blink: 5, reverse: 7, strike: 9 },
	...{ nobold: 22, nodim: 22, noitalic: 23, noul: 24, noblink: 25, noreverse: 27, nostrike: 29 }
};

/** Escape sequence for a color as written in settings (`bold red blue`); null if it is invalid. */
export function ansiColor(text: string): string | null {
	const attributes = new Set<number>();
	const codes: string[] = [];
	let colors = 0;
	let resets = false;
	for (const word of text.toLowerCase().split(/\s+/).filter(Boolean)) {
		const attribute = ATTRIBUTES[word.replace(/^no-/, 'no')];
		if (word === 'reset') resets = true;
		else if (attribute !== undefined) attributes.add(attribute);
		else {
			const code = colorCode(word, colors === 0 ? 30 : 40);
			if (code === null || ++colors > 2) return null;
			if (code !== '') codes.push(code);
		}
	}
	const sorted = [...attributes].sort((a, b) => a - b).map(String);
	// An empty part before the first semicolon means reset.
	const all = [...(resets ? [''] : []), ...sorted, ...codes];
	return all.length === 0 ? '' : `\x1b[${all.join(';')}m`;
}

/** @param base 30 for the foreground, 40 for the background */
function colorCode(word: string, base: number): string | null {
	if (word === 'normal' || word === '-1') return '';
	const bright = word.startsWith('bright');
	const index = COLORS.indexOf(bright ? word.slice('bright'.length) : word);
	if (word !== '' && index >= 0) return String(base + index + (bright ? 60 : 0));
	const rgb = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(word);
	if (rgb) return [base + 8, 2, ...rgb.slice(1).map((part) => Number.parseInt(part, 16))].join(';');
	if (!/^\d{1,3}$/.test(word) || Number(word) > 255) return null;
	const number = Number(word);
	if (number < 8) return String(base + number);
	return number < 16 ? String(base + 60 + number - 8) : `${base + 8};5;${number}`;
}
