import { Buffer } from 'buffer';
import { invalidArgument } from '../runtime/errors.ts';

type Chunks = AsyncIterable<unknown>;

/** Chunks that are neither text nor bytes are converted to text as by `Blob`. */
async function blob(stream: Chunks): Promise<Blob> {
	const chunks: BlobPart[] = [];
	for await (const chunk of stream) chunks.push(chunk as BlobPart);
	return new Blob(chunks);
}

const arrayBuffer = async (stream: Chunks): Promise<ArrayBuffer> => (await blob(stream)).arrayBuffer();

/** @throws TypeError `ERR_INVALID_ARG_TYPE` for a chunk that is neither text nor bytes */
async function text(stream: Chunks): Promise<string> {
	const decoder = new TextDecoder();
	let whole = '';
	for await (const chunk of stream) whole += typeof chunk === 'string' ? chunk : decodePiece(decoder, chunk);
	return whole + decoder.decode();
}

function decodePiece(decoder: TextDecoder, chunk: unknown): string {
	if (ArrayBuffer.isView(chunk) || chunk instanceof ArrayBuffer || chunk instanceof SharedArrayBuffer) {
		return decoder.decode(chunk as BufferSource, { stream: true });
	}
	throw invalidArgument('list', 'an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView', chunk);
}

/** `node:stream/consumers`. */
export const streamConsumers = {
	buffer: async (stream: Chunks) => Buffer.from(await arrayBuffer(stream)),
	arrayBuffer,
	blob,
	text,
	json: async (stream: Chunks): Promise<unknown> => JSON.parse(await text(stream))
};
