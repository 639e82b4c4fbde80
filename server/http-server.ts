import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { createServer, STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { CLEAR_COOKIES } from './cookies.ts';
import { apiHeaders } from './page/headers.ts';

/** What Node's parser refuses a request for, by the code of its error. */
const REFUSED: Readonly<Record<string, readonly [status: number, sentence: string]>> = {
	HPE_HEADER_OVERFLOW: [
		431,
		'The headers of this request are larger than this server takes. Cookies of this site were cleared; load the page again.'
	],
	HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of this request are too large. Send it without them.'],
	ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive. Send it again.']
};
const BAD = [400, 'This is not a request that HTTP knows. Check what sends it.'] as const;

export type Fetch = Parameters<typeof getRequestListener>[0];

/** The adaptor could make no address of what `Host` and the request line say; everything later is the app's to tell. */
const notAddressed = (error: unknown): Response =>
	error instanceof Error && error.name === 'RequestError'
		? Response.json(errorBody('address_invalid', 'The address or the Host of this request is none.'), {
				status: 400,
				headers: apiHeaders
			})
		: Response.json(errorBody('internal', 'Something went wrong in this server.'), {
				status: 500,
				headers: apiHeaders
			});

/** Hono makes a new Response of the one to a HEAD, which loses the mark that it was sent already. */
const keepSent =
	(fetch: Fetch): Fetch =>
	async (request, env) => {
		const response = await fetch(request, env);
		return 'headersSent' in env.outgoing && env.outgoing.headersSent ? RESPONSE_ALREADY_SENT : response;
	};

const errorBody = (type: string, message: string) => ({ error: { type, message } });

/**
 * An HTTP/1 server for the app. What never becomes a request (bytes that are no HTTP, headers without end, `CONNECT`,
 * an expectation nobody knows) is answered with a sentence too.
 * @param maxHeaderSize bytes of all headers of a request; Node's 16 KB when absent
 */
export function createHttpServer(fetch: Fetch, maxHeaderSize?: number): Server {
	// Without a Host the app refuses as it refuses a wrong one.
	const server = createServer(
		{ requireHostHeader: false, maxHeaderSize },
		getRequestListener(keepSent(fetch), { errorHandler: notAddressed })
	);
	const answering = new WeakMap<Duplex, ServerResponse>();
	server.prependListener('request', ({ socket }, response) => {
		answering.set(socket, response);
		// The log, the adaptor, the call behind it and each stream on the way wait for its end: a dozen is no leak.
		response.setMaxListeners(32);
	});
	server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
		const response = answering.get(socket);
		const begun = response !== undefined && response.headersSent && !response.writableFinished;
		if (begun || !socket.writable || error.code === 'ECONNRESET') return void socket.destroy(error);
		const [status, sentence] = REFUSED[error.code ?? ''] ?? BAD;
		// Cookies are what a browser sends too much of, and it would send them again for as long as they last.
		refuse(socket, status, 'request_invalid', sentence, status === 431 ? CLEAR_COOKIES : {});
	});
	server.on('connect', (_request, socket) =>
		refuse(socket, 405, 'method_not_allowed', 'This server is no proxy for CONNECT. Use the addresses of /api/config.')
	);
	server.on('checkExpectation', ({ socket }) =>
		refuse(socket, 417, 'expectation_failed', 'This server knows no such expectation. Leave the Expect header out.')
	);
	return server;
}

function refuse(
	socket: Duplex,
	status: number,
	type: string,
	message: string,
	more: Readonly<Record<string, string>> = {}
): void {
	const body = JSON.stringify(errorBody(type, message));
	const headers = {
		...apiHeaders,
		...more,
		'content-type': 'application/json',
		'content-length': Buffer.byteLength(body)
	};
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
	const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, 'connection: close', '', body];
	socket.once('error', () => undefined); // who sent that may be gone
	socket.end(head.join('\r\n'));
}
