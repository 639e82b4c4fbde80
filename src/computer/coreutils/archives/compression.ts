import { concat } from '#computer/process/text.ts';

type Format = 'gzip' | 'deflate' | 'deflate-raw';

async function through(bytes: Uint8Array, stream: GenericTransformStream): Promise<Uint8Array> {
	const writer = stream.writable.getWriter();
	const written = writer.write(bytes).then(() => writer.close());
	const pieces: Uint8Array[] = [];
	const reader: ReadableStreamDefaultReader<Uint8Array> = stream.readable.getReader();
	for (let piece = await reader.read(); !piece.done; piece = await reader.read()) pieces.push(piece.value);
	await written;
	return concat(pieces);
}

export const compress = (bytes: Uint8Array, format: Format) => through(bytes, new CompressionStream(format));

/** @throws TypeError if the bytes are not in that format */
export const decompress = (bytes: Uint8Array, format: Format) => through(bytes, new DecompressionStream(format));

export const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b;
