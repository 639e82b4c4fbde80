import { decode, encode, rawByte } from '#computer/process/text.ts';

/** Characters for the letters after a backslash, wherever the shell decodes escapes. */
export const NAMED_ESCAPES: Readonly<Record<string, string>> = {
	a: '\x07',
	b: '\b',
	e: '\x1b',
	E: '\x1b',
	f: '\f',
	n: '\n',
	r: '\r',
	t: '\t',
	v: '\v',
	'\\': '\\'
};
const NAMED: Readonly<Record<string, string>> = { ...NAMED_ESCAPES, "'": "'", '"': '"', '?': '?' };

/** Decodes the text between the quotes of `$'…'`. A NUL ends it. */
export function decodeEscapes(text: string): string {
	let bytes = '';
	const escape =
		/\\(?:([0-7]{1,3})|x\{([0-9a-fA-F]*)\}?|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c(\\\\|[^])|([^]))|[^\\]+|\\/g;
	for (const [whole, octal, braced, hex, short, long, control, other] of text.matchAll(escape)) {
		let piece: string;
		if (octal !== undefined) piece = rawByte(parseInt(octal, 8) & 255);
		else if (braced !== undefined) piece = rawByte(parseInt(braced.slice(-2) || '0', 16));
		else if (hex !== undefined) piece = rawByte(parseInt(hex, 16));
		else if (short !== undefined || long !== undefined) piece = codePoint(parseInt(short ?? long ?? '0', 16));
		else if (control === '?') piece = '\x7f';
		else if (control !== undefined) piece = String.fromCharCode(control.toUpperCase().charCodeAt(0) & 31);
		else if (other !== undefined) piece = NAMED[other] ?? whole;
		else piece = whole;
		if (piece === '\0') return joinedBytes(bytes);
		bytes += piece;
	}
	return joinedBytes(bytes);
}

/** Decodes adjacent single bytes that form a character. */
const joinedBytes = (text: string) => (/[\udc80-\udcff]/.test(text) ? decode(encode(text)) : text);

const codePoint = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd');
