/** Number of cells of a character on a terminal: 2 for East Asian wide and emoji, 0 for combining marks. */
export function charWidth(char: string): number {
	const code = char.codePointAt(0) ?? 0;
	if (code < 0x300) return code < 32 || code === 0x7f ? 0 : 1;
	if (/\p{Mark}|\u200b|\u200d|[\ufe00-\ufe0f]/u.test(char)) return 0;
	const wide =
		(code >= 0x1100 && code <= 0x115f) ||
		(code >= 0x2e80 && code <= 0xa4cf) ||
		(code >= 0xac00 && code <= 0xd7a3) ||
		(code >= 0xf900 && code <= 0xfaff) ||
		(code >= 0xfe30 && code <= 0xfe6f) ||
		(code >= 0xff00 && code <= 0xff60) ||
		(code >= 0xffe0 && code <= 0xffe6) ||
		(code >= 0x1f300 && code <= 0x1faff) ||
		(code >= 0x20000 && code <= 0x3fffd);
	return wide ? 2 : 1;
}

/** Number of cells of a text, ignoring color sequences. */
export function textWidth(text: string): number {
	const plain = text.replace(/\x1b\[[0-9;?]*[a-zA-Z]/g, '');
	let width = 0;
	for (const char of plain) width += charWidth(char);
	return width;
}
