/** Names of the control characters, as in `od -a`. */
export const CONTROL_NAMES: readonly string[] =
	'nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us'.split(
		' '
	);

const ESCAPES: Readonly<Record<number, string>> = {
	...{ 0: '\\0', 7: '\\a', 8: '\\b', 9: '\\t', 10: '\\n', 11: '\\v', 12: '\\f', 13: '\\r' }
};

export const isPrintable = (byte: number): boolean => byte >= 32 && byte < 127;

/** Formats a byte as in C: a character, an escape, or three octal digits. */
export const escapedByte = (byte: number): string =>
	ESCAPES[byte] ?? (isPrintable(byte) ? String.fromCharCode(byte) : byte.toString(8).padStart(3, '0'));

/** Formats bytes as printable characters, with a dot for any other. */
export const visible = (bytes: Uint8Array): string =>
	[...bytes].map((byte) => (isPrintable(byte) ? String.fromCharCode(byte) : '.')).join('');
