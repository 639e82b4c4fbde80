/** Byte counts of a file for line ending conversion. */
export interface ByteCounts {
	nul: number;
	loneCr: number;
	loneLf: number;
	crlf: number;
	printable: number;
	unprintable: number;
}

const [CR, LF, DEL, CTRL_Z, BLANK] = [0x0d, 0x0a, 0x7f, 0x1a, 0x20];

/** Backspace, tab, form feed and escape, which occur in texts. */
const TEXT_CONTROLS = new Set([0x08, 0x09, 0x0c, 0x1b]);

export function countBytes(content: Uint8Array): ByteCounts {
	const counts = { nul: 0, loneCr: 0, loneLf: 0, crlf: 0, printable: 0, unprintable: 0 };
	for (let i = 0; i < content.length; i++) {
		const byte = content[i]!;
		if (byte >= BLANK) {
			if (byte === DEL) counts.unprintable++;
			else counts.printable++;
		} else if (byte === LF) counts.loneLf++;
		else if (byte === CR) {
			if (content[i + 1] === LF) {
				counts.crlf++;
				i++;
			} else counts.loneCr++;
		} else if (TEXT_CONTROLS.has(byte)) counts.printable++;
		else {
			if (byte === 0) counts.nul++;
			counts.unprintable++;
		}
	}
	// End-of-file mark of DOS.
	if (content.at(-1) === CTRL_Z) counts.unprintable--;
	return counts;
}

/** Returns whether contents are binary, so that line endings are kept unless attributes say otherwise. */
export const looksBinary = ({ loneCr, nul, printable, unprintable }: ByteCounts): boolean =>
	loneCr > 0 || nul > 0 || printable >> 7 < unprintable;

/** Name of the line endings of contents, as shown by `ls-files --eol`. */
export function lineEndsName(content: Uint8Array): string {
	if (content.length === 0) return 'none';
	const counts = countBytes(content);
	if (looksBinary(counts)) return '-text';
	if (counts.crlf > 0) return counts.loneLf > 0 ? 'mixed' : 'crlf';
	return counts.loneLf > 0 ? 'lf' : 'none';
}

/** Replaces CRLF with LF. */
export function withLf(content: Uint8Array): Uint8Array {
	const kept = new Uint8Array(content.length);
	let length = 0;
	for (let i = 0; i < content.length; i++) {
		if (content[i] === CR && content[i + 1] === LF) continue;
		kept[length++] = content[i]!;
	}
	return kept.slice(0, length);
}

/** Makes all line endings CRLF. @param added number of lines that end with LF alone */
export function withCrlf(content: Uint8Array, added: number): Uint8Array {
	const made = new Uint8Array(content.length + added);
	let length = 0;
	for (let i = 0; i < content.length; i++) {
		if (content[i] === LF && content[i - 1] !== CR) made[length++] = CR;
		made[length++] = content[i]!;
	}
	return made;
}
