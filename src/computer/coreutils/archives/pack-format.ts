import { GzipError } from './unpacked-content.ts';

const MOST_BITS = 25;
const COUNTS_AT = 7;

export const isPacked = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x1e;

/**
 * Unpacks the output of `pack` (`.z`): Huffman codes; at each depth, the leaves have higher numbers than the inner
 * nodes.
 *
 * @param limit largest content in bytes
 * @throws GzipError
 */
export function unpackPacked(bytes: Uint8Array, limit: number): Uint8Array {
	if (bytes.length < COUNTS_AT) throw new GzipError('unexpected end of file');
	const size = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(2);
	if (size > limit) throw new GzipError('File too large');
	const tree = readTree(bytes);
	const out = new Uint8Array(size);
	let [filled, at] = [0, tree.end * 8];
	for (;;) {
		let [code, depth] = [0, 0];
		let symbol = -1;
		while (symbol < 0) {
			if (at >= bytes.length * 8) throw new GzipError('unexpected end of file', out.subarray(0, filled));
			code = code * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
			at++;
			depth++;
			if (depth > tree.depth) throw violated(out.subarray(0, filled));
			const leaf = code - (tree.inner[depth] ?? 0);
			if (leaf >= 0 && leaf < (tree.leaves[depth] ?? 0)) symbol = (tree.first[depth] ?? 0) + leaf;
		}
		if (symbol === tree.symbols.length) break;
		if (filled === size) throw new GzipError('invalid compressed data--length error', out);
		out[filled++] = tree.symbols[symbol] ?? 0;
	}
	if (filled !== size) throw new GzipError('invalid compressed data--length error', out.subarray(0, filled));
	return out;
}

const violated = (readable?: Uint8Array): GzipError =>
	new GzipError('invalid compressed data--format violated', readable);

interface Tree {
	depth: number;
	/** By depth: number of leaves, number of inner nodes, and index of the first leaf. */
	leaves: readonly number[];
	inner: readonly number[];
	first: readonly number[];
	/** Bytes by leaf; the last leaf is the end marker. */
	symbols: Uint8Array;
	/** Offset of the codes. Bytes. */
	end: number;
}

function readTree(bytes: Uint8Array): Tree {
	const depth = bytes[COUNTS_AT - 1] ?? 0;
	if (depth === 0 || depth > MOST_BITS || bytes.length < COUNTS_AT + depth) throw violated();
	const leaves = [0, ...bytes.subarray(COUNTS_AT, COUNTS_AT + depth)];
	// The stored count of the deepest leaves is two too low; one of the two is the end marker.
	leaves[depth] = (leaves[depth] ?? 0) + 2;
	const first: number[] = [];
	let count = 0;
	for (const [level, some] of leaves.entries()) {
		first[level] = count;
		count += some;
	}
	const inner: number[] = [];
	let nodes = 0;
	for (let level = depth; level > 0; level--) {
		nodes >>= 1;
		inner[level] = nodes;
		nodes += leaves[level] ?? 0;
	}
	const start = COUNTS_AT + depth;
	const end = start + count - 1;
	// Every leaf except the end marker is a different byte.
	if (nodes !== 2 || count - 1 > 256) throw violated();
	if (end > bytes.length) throw new GzipError('unexpected end of file');
	return { depth, leaves, inner, first, symbols: bytes.subarray(start, end), end };
}
