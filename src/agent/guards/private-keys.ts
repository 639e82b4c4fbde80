const EDGES = /-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const ENDED = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----$/;
const MAX_EDGE_CHARACTERS = 200;
/** A line or header of a key, possibly after a line number or a file name. */
const LINE = /^\n[^\n]{0,300}?(?:[A-Za-z0-9+/=]{12,}|(?:Proc-Type|DEK-Info): [^\n]*)[^\S\n]*$/;

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
		const line = text.slice(at, stop === -1 ? text.length : stop);
		if (line.length > 2_000 || !LINE.test(line)) return at;
		if (stop === -1) return text.length;
		at = stop;
	}
}
