const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
const VALUES = new Map([...ALPHABET].map((letter, value) => [letter, value]));
const DIGITS = 5;
const GROUP_BYTES = 4;
/** Maximum number of bytes in a line of a binary patch. */
const LINE_BYTES = 52;
/** First letters of lines, which encode the number of bytes. */
const LENGTHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Encodes bytes as lines of a binary patch. */
export function base85Lines(bytes: Uint8Array): string {
	let text = '';
	for (let at = 0; at < bytes.length; at += LINE_BYTES) {
		const line = bytes.subarray(at, at + LINE_BYTES);
		text += `${LENGTHS[line.length - 1]}${encoded(line)}\n`;
	}
	return text;
}

function encoded(bytes: Uint8Array): string {
	let text = '';
	for (let at = 0; at < bytes.length; at += GROUP_BYTES) {
		let value = 0;
		for (let i = 0; i < GROUP_BYTES; i++) value = value * 256 + (bytes[at + i] ?? 0);
		let group = '';
		for (let i = 0; i < DIGITS; i++) {
			group = ALPHABET[value % ALPHABET.length]! + group;
			value = Math.floor(value / ALPHABET.length);
		}
		text += group;
	}
	return text;
}

/** Decodes one line of a binary patch; null if it is invalid. @param line without its newline */
export function base85Bytes(line: string): Uint8Array | null {
	const length = LENGTHS.indexOf(line[0] ?? '?') + 1;
	const groups = Math.ceil(length / GROUP_BYTES);
	if (length === 0 || line.length !== 1 + groups * DIGITS) return null;
	const bytes = new Uint8Array(groups * GROUP_BYTES);
	for (let group = 0; group < groups; group++) {
		let value = 0;
		for (const letter of line.slice(1 + group * DIGITS, 1 + (group + 1) * DIGITS)) {
			const digit = VALUES.get(letter);
			if (digit === undefined) return null;
			value = value * ALPHABET.length + digit;
		}
		if (value >= 2 ** 32) return null;
		for (let i = GROUP_BYTES - 1; i >= 0; i--) {
			bytes[group * GROUP_BYTES + i] = value % 256;
			value = Math.floor(value / 256);
		}
	}
	return bytes.subarray(0, length);
}
