import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ServerContext } from './context.ts';
import { apiHeaders } from './page/headers.ts';

/**
 * Hands a stream to the caller as it comes, at the caller's pace: a caller that does not read stops
 * the source, one that leaves destroys it, a source that fails cuts the connection, so that a cut
 * answer is never taken for a whole one. Goes around Hono's Response: a third of the cost a chunk.
 */
export async function relay(
	c: ServerContext,
	status: number,
	headers: OutgoingHttpHeaders,
	body: Readable
): Promise<Response> {
	const { outgoing } = c.env;
	if (outgoing.destroyed) {
		body.destroy();
		return RESPONSE_ALREADY_SENT;
	}
	writeHead(c, status, headers);
	outgoing.flushHeaders();
	try {
		await pipeline(body, outgoing);
	} catch {
		// Already told in the only way left: pipeline has destroyed both ends. The log line says 'cut'.
	}
	return RESPONSE_ALREADY_SENT;
}

/** Puts our own headers before those of the answer; nothing is sent yet. */
export function writeHead(c: ServerContext, status: number, headers: OutgoingHttpHeaders): ServerResponse {
	return c.env.outgoing.writeHead(status, { ...apiHeaders, 'x-request-id': c.get('requestId'), ...headers });
}

/** Copies the named headers (lower case) that are there. */
export function pickHeaders(
	from: Readonly<Record<string, string | string[] | undefined>>,
	names: readonly string[]
): Record<string, string> {
	const picked: Record<string, string> = {};
	for (const name of names) {
		const value = from[name];
		if (value !== undefined) picked[name] = Array.isArray(value) ? value.join(', ') : value;
	}
	return picked;
}
