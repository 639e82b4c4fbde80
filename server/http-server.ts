import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { createServer, STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { CLEAR_COOKIES } from './cookies.ts';
import { apiHeaders } from './page/headers.ts';

/** Responses to requests that Node's parser refuses, by error code. */
const REFUSED: Readonly<Record<string, readonly [status: number, sentence: string]>> = {
	HPE_HEADER_OVERFLOW: [
		431,
		'The headers of this request are larger than this server takes. Cookies of this site were cleared; load the page again.'
	],
	HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of this request are too large. Send it without them.'],
	ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive. Send it again.']
};
const BAD = [400, 'This is not a valid HTTP request. Check the program that sends it.'] as const;

export type Fetch = Parameters<typeof getRequestListener>[0];

/** The adapter could not build an address from `Host` and the request line; all other refusals are the app's. */
const refuseAddress = (error: unknown): Response =>
	error instanceof Error && error.name === 'RequestError'
		? Response.json(errorBody('address_invalid', 'The address or the Host header of this request is invalid.'), {
				status: 400,
				headers: apiHeaders
			})
		: Response.json(errorBody('internal', 'Something went wrong in this server.'), {
				status: 500,
				headers: apiHeaders
			});

/** Hono creates a new Response for a HEAD request, which loses the mark that the response was already sent. */
const keepSent =
	(fetch: Fetch): Fetch =>
	async (request, env) => {
		const response = await fetch(request, env);
		return 'headersSent' in env.outgoing && env.outgoing.headersSent ? RESPONSE_ALREADY_SENT : response;
	};

const errorBody = (type: string, message: string) => ({ error: { type, message } });

/**
 * Creates an HTTP/1 server for the app. Input that never becomes a request (bytes that are not HTTP, endless
 * headers, `CONNECT`, an unknown expectation) gets a readable error too.
 * @param maxHeaderSize bytes of all headers of a request; Node's 16 KB when absent
 */
export function createHttpServer(fetch: Fetch, maxHeaderSize?: number): Server {
	// Without a Host header the app refuses the request just as for a wrong one.
	const server = createServer(
		{ requireHostHeader: false, maxHeaderSize },
		getRequestListener(keepSent(fetch), { errorHandler: refuseAddress })
	);
	const answering = new WeakMap<Duplex, ServerResponse>();
	server.prependListener('request', ({ socket }, response) => {
		answering.set(socket, response);
		// The log, the adapter, the upstream call and each stream listen for its end: a dozen listeners are not a leak.
		response.setMaxListeners(32);
	});
	server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
		const response = answering.get(socket);
		const isPartlySent = response !== undefined && response.headersSent && !response.writableFinished;
		if (isPartlySent || !socket.writable || error.code === 'ECONNRESET') return void socket.destroy(error);
		const [status, sentence] = REFUSED[error.code ?? ''] ?? BAD;
		// Cookies are the usual cause of oversized headers, and the browser would keep sending them until they
		// expire.
		refuse(socket, status, 'request_invalid', sentence, status === 431 ? CLEAR_COOKIES : {});
	});
	server.on('connect', (_request, socket) =>
		refuse(
			socket,
			405,
			'method_not_allowed',
			'This server does not proxy CONNECT. Use the addresses listed by /api/config.'
		)
	);
	server.on('checkExpectation', ({ socket }) =>
		refuse(
			socket,
			417,
			'expectation_failed',
			'This expectation is not supported. Send the request without the Expect header.'
		)
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
	socket.once('error', () => undefined); // the client may have disconnected
	socket.end(head.join('\r\n'));
}
