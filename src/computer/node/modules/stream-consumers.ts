import { Buffer } from 'buffer';

type Chunks = AsyncIterable<string | Uint8Array>;

async function buffer(stream: Chunks): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
	return Buffer.concat(chunks);
}

/** `node:stream/consumers`. */
export const streamConsumers = {
	buffer,
	arrayBuffer: async (stream: Chunks) => new Uint8Array(await buffer(stream)).buffer,
	blob: async (stream: Chunks) => new Blob([new Uint8Array(await buffer(stream))]),
	text: async (stream: Chunks) => (await buffer(stream)).toString('utf8'),
	json: async (stream: Chunks): Promise<unknown> => JSON.parse((await buffer(stream)).toString('utf8'))
};
