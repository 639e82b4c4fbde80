import { ShareError } from './errors.ts';

/** Maximum unpacked size of a share, so that a small link cannot fill the memory. Bytes. */
export const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

export async function compress(bytes: Uint8Array): Promise<Uint8Array> {
	const stream = new Blob([bytes.slice()]).stream().pipeThrough(new CompressionStream('gzip'));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Rejects with `ShareError`: `damaged` when the data is not gzip, `too_large` past the limit. */
export async function decompress(bytes: Uint8Array, limit = MAX_UNPACKED_BYTES): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	const reader = new Blob([bytes.slice()]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
	for (;;) {
		const { done, value } = await reader.read().catch((error: unknown) => {
			throw new ShareError('damaged', String(error));
		});
		if (done) break;
		size += value.length;
		if (size > limit) {
			await reader.cancel();
			throw new ShareError('too_large');
		}
		chunks.push(value);
	}
	const whole = new Uint8Array(size);
	let offset = 0;
	for (const chunk of chunks) {
		whole.set(chunk, offset);
		offset += chunk.length;
	}
	return whole;
}
