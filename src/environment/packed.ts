/**
 * Copies the bytes of all items side by side into one buffer, which can be transferred to another thread at once.
 * Transferring thousands of small buffers would take as long as copying them.
 */
export function packed<T extends { path?: string; bytes?: Uint8Array | undefined }>(
	items: readonly T[]
): { items: T[]; buffer: ArrayBuffer } {
	const all = new Uint8Array(items.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0));
	let at = 0;
	const moved = items.map((item) => {
		if (!item.bytes) return item;
		all.set(item.bytes, at);
		const bytes = all.subarray(at, at + item.bytes.length);
		at += bytes.length;
		return { ...item, bytes };
	});
	return { items: moved, buffer: all.buffer };
}
