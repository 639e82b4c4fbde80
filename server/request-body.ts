import type { Readable } from 'node:stream';
import type { ServerContext } from './context.ts';
import { byteLimit } from './outbound/limited-body.ts';
import { Refusal } from './refusal.ts';

const tooLarge = (maxBytes: number): Refusal =>
	new Refusal(413, 'request_too_large', `The request is larger than the ${maxBytes} bytes taken here. Send less.`);

/** Refuses by the announced length, before anything is read. */
function checkLength(c: ServerContext, maxBytes: number): void {
	if (Number(c.env.incoming.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/**
 * The caller's body as a stream that errors with 413 after `maxBytes`. One whose length is announced is handed on as
 * it is: Node's parser ends it there.
 */
export function bodyStream(c: ServerContext, maxBytes: number): Readable {
	checkLength(c, maxBytes);
	if (c.env.incoming.headers['content-length'] !== undefined) return c.env.incoming;
	const limit = byteLimit(maxBytes, () => tooLarge(maxBytes));
	const { incoming } = c.env;
	incoming.once('error', (error) => limit.destroy(error));
	incoming.once('close', () => {
		if (!incoming.complete) limit.destroy(new Error('The caller went away.'));
	});
	return incoming.pipe(limit);
}

/** The whole body, for requests that go out with their length. */
export async function bodyBytes(c: ServerContext, maxBytes: number): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of bodyStream(c, maxBytes)) chunks.push(chunk);
	return Buffer.concat(chunks);
}
