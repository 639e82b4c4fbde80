import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ServerContext } from './context.ts';
import { apiHeaders } from './page/headers.ts';

/**
 * Streams the source to the caller at the caller's pace: a caller that does not read pauses the source, a caller that
 * disconnects destroys it, and a failing source cuts the connection, so that a truncated response is never taken for a
 * complete one. Bypasses Hono's Response, which triples the cost per chunk.
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
		// Nothing left to send: pipeline has destroyed both ends, and the log line says 'cut'.
	}
	return RESPONSE_ALREADY_SENT;
}

/** Merges our own headers into those of the response, ours first; nothing is sent yet. */
export function writeHead(c: ServerContext, status: number, headers: OutgoingHttpHeaders): ServerResponse {
	return c.env.outgoing.writeHead(status, { ...apiHeaders, 'x-request-id': c.get('requestId'), ...headers });
}

/** Copies the named headers (lower case) that exist. */
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
