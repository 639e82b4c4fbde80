import { isSyscallError } from '../runtime/errors.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { outsideFailure } from './net/address.ts';
import { fetchLoopback, isForLoopback, sentHeaders } from './fetch-loopback.ts';

/** Status codes whose responses have no body. */
const BODILESS = [101, 204, 205, 304];

/** The global `fetch`: to a server in the sandbox, or a request that the page checks, asks about and records. */
export function createFetch(runtime: Runtime): typeof fetch {
	return async (input, init) => {
		const request = new Request(input, init);
		const outside = (body: Uint8Array | null) => (url: string) => fetchOutside(runtime, request, url, body);
		const isHere = isForLoopback(request.url);
		// A stream is sent only once: after a redirect it cannot be sent to an external host.
		if (isHere && isStream(init?.body)) return fetchLoopback(runtime, request, request.body, outside(null));
		const body = request.body === null ? null : new Uint8Array(await runtime.loop.holdWhile(request.arrayBuffer()));
		request.signal.throwIfAborted();
		return isHere ? fetchLoopback(runtime, request, body, outside(body)) : outside(body)(request.url);
	};
}

/** Detects a body that a program provides as a stream. */
const isStream = (body: unknown): boolean =>
	typeof body === 'object' && body !== null && (body instanceof ReadableStream || Symbol.asyncIterator in body);

async function fetchOutside(
	runtime: Runtime,
	request: Request,
	url: string,
	body: Uint8Array | null
): Promise<Response> {
	try {
		const answer = await runtime.loop.holdWhile(
			runtime.async.fetch({ method: request.method, url, headers: sentHeaders(request), body, purpose: 'fetch' })
		);
		const response = new Response(BODILESS.includes(answer.status) ? null : new Uint8Array(answer.body), {
			status: answer.status,
			statusText: answer.statusText,
			headers: answer.headers
		});
		return Object.defineProperty(response, 'url', { value: answer.url });
	} catch (error) {
		if (!isSyscallError(error)) throw error;
		throw new TypeError('fetch failed', { cause: outsideFailure(error, new URL(url).hostname) });
	}
}
