import { isLocal } from '#computer/abi/local-host.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { ClientRequest } from './http/client.ts';
import type { IncomingMessage } from './http/incoming.ts';
import { createHttp } from './http/index.ts';

const MAX_REDIRECTS = 20;
/** Status codes whose responses have no body. */
const BODILESS = [101, 204, 205, 304];
/** Headers of the connection and its host: Node's `fetch` ignores values from a program. */
const OF_CONNECTION = ['host', 'connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'expect', 'content-length'];
const DEFAULTS = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' };

export function isForLoopback(url: string): boolean {
	const { hostname, protocol } = new URL(url);
	return (protocol === 'http:' || protocol === 'https:') && isLocal(hostname);
}

/** Headers sent with a request. */
export const sentHeaders = ({ headers }: Request): [string, string][] =>
	[...headers].filter(([name]) => !OF_CONNECTION.includes(name));

/** Body of a request: all of its bytes, or a stream that is sent chunk by chunk. */
type SentBody = Uint8Array | ReadableStream<Uint8Array> | null;

/**
 * `fetch` from a server in the sandbox: request and response are streamed, and redirects are followed.
 * @param elsewhere follows a redirect that leads out of the sandbox
 */
export async function fetchLoopback(
	runtime: Runtime,
	request: Request,
	body: SentBody,
	elsewhere: (url: string) => Promise<Response>
): Promise<Response> {
	let { method, url } = request;
	let sent = body;
	const headers = new Headers({
		...DEFAULTS,
		'accept-encoding': 'gzip, deflate',
		...Object.fromEntries(sentHeaders(request))
	});
	for (let redirects = 0; ; redirects++) {
		if (!isForLoopback(url)) return elsewhere(url);
		const answer = await send(runtime, url, method, headers, sent, request.signal);
		const status = answer.statusCode ?? 200;
		const target = answer.headers['location'];
		const isRedirect = [301, 302, 303, 307, 308].includes(status) && typeof target === 'string';
		if (!isRedirect || request.redirect === 'manual') return toResponse(answer, url, redirects > 0, request.signal);
		answer.destroy();
		if (request.redirect === 'error') throw failed(new Error('unexpected redirect'));
		if (redirects >= MAX_REDIRECTS) throw failed(new Error('redirect count exceeded'));
		url = new URL(target, url).href;
		if (status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST') {
			method = 'GET';
			sent = null;
			for (const name of ['content-type', 'content-length', 'content-encoding']) headers.delete(name);
		}
		// A stream can only be sent once.
		if (sent instanceof ReadableStream) throw failed(new Error('the body of the request cannot be sent again'));
	}
}

function send(
	runtime: Runtime,
	url: string,
	method: string,
	headers: Headers,
	body: SentBody,
	signal: AbortSignal
): Promise<IncomingMessage> {
	const { request } = createHttp(runtime, url.startsWith('https:') ? 'https:' : 'http:') as {
		request(url: string, options: object): ClientRequest;
	};
	const { loop } = runtime;
	return new Promise((resolve, reject) => {
		const outgoing = request(url, { method, headers: Object.fromEntries(headers) });
		const abort = () => {
			outgoing.destroy();
			reject(
				signal.reason instanceof Error ? signal.reason : new DOMException('This operation was aborted', 'AbortError')
			);
		};
		if (signal.aborted) return abort();
		signal.addEventListener('abort', abort, { once: true });
		outgoing.on('error', (error: Error) => reject(signal.aborted ? (signal.reason as Error) : failed(error)));
		outgoing.on('response', (answer: IncomingMessage) => {
			answer.once('close', () => signal.removeEventListener('abort', abort));
			resolve(answer);
		});
		if (body instanceof ReadableStream) void sendStream(runtime, body, outgoing);
		else loop.nextTick(() => void outgoing.end(body ?? undefined), []);
	});
}

/** Sends the chunks of a stream as they arrive, no faster than the server accepts them. Never rejects. */
async function sendStream({ loop }: Runtime, body: ReadableStream<Uint8Array>, outgoing: ClientRequest): Promise<void> {
	const reader = body.getReader();
	const closed = new Promise<void>((resolve) => outgoing.once('close', resolve));
	// This also ends a pending read.
	void closed.then(() => reader.cancel()).catch(() => undefined);
	try {
		for (;;) {
			const { done, value } = await loop.holdWhile(reader.read());
			if (done) return void outgoing.end();
			if (outgoing.write(value)) continue;
			await Promise.race([new Promise<void>((resolve) => outgoing.once('drain', resolve)), closed]);
		}
	} catch (error) {
		outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
	}
}

function toResponse(answer: IncomingMessage, url: string, redirected: boolean, signal: AbortSignal): Response {
	const { statusCode, statusMessage } = answer;
	const status = statusCode ?? 200;
	const encoding = String(answer.headers['content-encoding'] ?? '').toLowerCase();
	let body: ReadableStream<Uint8Array<ArrayBuffer>> | null = null;
	if (BODILESS.includes(status)) answer.resume();
	else {
		body = bodyOf(answer, signal);
		if (/^(x-)?gzip$/.test(encoding)) body = body.pipeThrough(new DecompressionStream('gzip'));
		else if (encoding === 'deflate') body = body.pipeThrough(new DecompressionStream('deflate'));
	}
	const response = new Response(body, { status, statusText: statusMessage ?? '', headers: answer._pairs });
	Object.defineProperty(response, 'url', { value: url });
	return redirected ? Object.defineProperty(response, 'redirected', { value: true }) : response;
}

function bodyOf(answer: IncomingMessage, signal: AbortSignal): ReadableStream<Uint8Array<ArrayBuffer>> {
	return new ReadableStream({
		start(controller) {
			answer.on('data', (bytes: Uint8Array) => {
				controller.enqueue(new Uint8Array(bytes));
				if ((controller.desiredSize ?? 1) <= 0) answer.pause();
			});
			answer.once('end', () => controller.close());
			answer.once('error', (error: Error) => {
				controller.error(signal.aborted ? signal.reason : Object.assign(new TypeError('terminated'), { cause: error }));
			});
			answer.pause();
		},
		pull() {
			answer.resume();
		},
		cancel() {
			answer.destroy();
		}
	});
}

function failed(cause: Error): TypeError {
	return new TypeError('fetch failed', { cause });
}
