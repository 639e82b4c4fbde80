import type { Readable } from 'node:stream';
import type { ServerContext } from './context.ts';
import { byteLimit } from './outbound/limited-body.ts';
import { Refusal } from './refusal.ts';

const tooLarge = (maxBytes: number): Refusal =>
	new Refusal(413, 'request_too_large', `The request is larger than the limit of ${maxBytes} bytes. Send less.`);

/** Refuses a body by its announced length, before it is read. */
function checkLength(c: ServerContext, maxBytes: number): void {
	if (Number(c.env.incoming.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/**
 * The caller's body as a stream that errors with 413 after `maxBytes`. A body with an announced length is
 * passed on unchanged: Node's parser ends it there.
 */
export function bodyStream(c: ServerContext, maxBytes: number): Readable {
	checkLength(c, maxBytes);
	if (c.env.incoming.headers['content-length'] !== undefined) return c.env.incoming;
	const limit = byteLimit(maxBytes, () => tooLarge(maxBytes));
	const { incoming } = c.env;
	incoming.once('close', () => {
		if (!incoming.complete) limit.destroy(new Error('The client disconnected.'));
	});
	return incoming.pipe(limit);
}

/** Reads the whole body, for requests that are forwarded with their length. */
export async function bodyBytes(c: ServerContext, maxBytes: number): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of bodyStream(c, maxBytes)) chunks.push(chunk);
	return Buffer.concat(chunks);
}
