/** Concatenates all pieces into one array. A single piece is returned as is, not copied. */
export function concat(pieces: readonly Uint8Array[]): Uint8Array {
	if (pieces.length === 1) return pieces[0] ?? new Uint8Array();
	const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
	let offset = 0;
	for (const piece of pieces) {
		whole.set(piece, offset);
		offset += piece.length;
	}
	return whole;
}
