const EDGES = /-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const ENDED = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----$/;
const MAX_EDGE_CHARACTERS = 200;
/** Maximum number of characters before the key on a line, such as a line number or a file name. */
const MAX_BEFORE = 300;
const HEADER = /^.{0,300}?(?:Proc-Type|DEK-Info): /;
/** Shorter line ends count as ordinary words. */
const MIN_BASE64_CHARACTERS = 12;

/** Replaces each private key in a text. */
export function replacePrivateKeys(text: string, by: (key: string) => string): string {
	const pieces: string[] = [];
	let at = 0;
	for (const { start, end } of privateKeys(text)) {
		pieces.push(text.slice(at, start), by(text.slice(start, end)));
		at = end;
	}
	return at === 0 ? text : pieces.join('') + text.slice(at);
}

/**
 * Ranges of private keys in a text, in order, including one without an end because only its first lines were
 * read. Linear in the text's length.
 */
function privateKeys(text: string): { start: number; end: number }[] {
	const edges = [...text.matchAll(EDGES)];
	const found: { start: number; end: number }[] = [];
	let at = 0;
	for (const [index, edge] of edges.entries()) {
		if (edge[1] !== 'BEGIN' || edge.index < at) continue;
		const next = edges[index + 1];
		at = next?.[1] === 'END' ? next.index + next[0].length : endOfPart(text, edge.index + edge[0].length);
		found.push({ start: edge.index, end: at });
	}
	return found;
}

/** Index of a private key that may continue beyond the text; `null` if there is none. */
export function endsInsidePrivateKey(text: string): number | null {
	const last = privateKeys(text).at(-1);
	if (!last || ENDED.test(text.slice(-MAX_EDGE_CHARACTERS).trimEnd())) return null;
	// A key's last line may be short, and its end marker may be incomplete.
	return text.slice(last.end).trim().split('\n').length <= 2 ? last.start : null;
}

/** Index after the last line that looks like part of a key. */
function endOfPart(text: string, body: number): number {
	let at = text.indexOf('\n', body);
	if (at === -1) return text.length;
	for (;;) {
		const stop = text.indexOf('\n', at + 1);
		const end = stop === -1 ? text.length : stop;
		if (!isKeyLine(text.slice(at + 1, end))) return at;
		if (stop === -1) return text.length;
		at = stop;
	}
}

/** Returns whether a line is part of a key, or a header of one. A whole key may be one line. */
function isKeyLine(line: string): boolean {
	const body = line.trimEnd();
	let from = body.length;
	// Linear, unlike a regular expression, which would retry at each character.
	while (from > 0 && isBase64(body.charCodeAt(from - 1))) from--;
	return (body.length - from >= MIN_BASE64_CHARACTERS && from <= MAX_BEFORE) || HEADER.test(line);
}

function isBase64(code: number): boolean {
	const isLetter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
	// From `/` to `9`, and `+` and `=`.
	return isLetter || (code >= 0x2f && code <= 0x39) || code === 0x2b || code === 0x3d;
}
