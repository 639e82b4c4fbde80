import { OutgoingMessage, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { Agent, errors } from 'undici';
import { Refusal } from '../refusal.ts';
import { createKeyMask, maskHeaders } from './key-mask.ts';

export interface UpstreamRequest {
	url: URL;
	method: 'GET' | 'POST';
	headers: Record<string, string>;
	body: Uint8Array | Readable | undefined;
	/** Response to the caller: if it closes before it is finished, the call is aborted. */
	caller: ServerResponse;
	/** Time limit for the response headers, and for each pause after them. */
	timeoutMs: number;
	/** The key, masked in the response. */
	hide: string | undefined;
}

/** Connections to the operator's providers: not guarded, since only the operator configures them. */
export interface Upstream {
	/**
	 * Streams the response at the pace of its destination; a response that fails cuts the destination off.
	 * @param receive gets status and headers and returns the destination of the body; an exception ends the call
	 * @returns what `receive` returned, as soon as it did
	 * @throws Refusal 502 or 504; errors of the body or of `receive`
	 */
	send<Sink extends Writable>(
		request: UpstreamRequest,
		receive: (status: number, headers: IncomingHttpHeaders) => Sink
	): Promise<Sink>;
	close(): void;
}

/** Shared: capturing a stack for each of many aborted calls would delay the others. */
const CALLER_GONE = new Error('The client disconnected.');

/**
 * undici's own dispatcher, below its `request` and `fetch`: no stream and no promise per chunk, which halves
 * the cost of a proxied call.
 */
export function createUpstream(): Upstream {
	const agent = new Agent();
	return {
		send({ url, method, headers, body, caller, timeoutMs, hide }, receive) {
			return new Promise((resolve, reject) => {
				const mask = createKeyMask(hide);
				let cut: (() => void) | undefined;
				let into: Writable | undefined;
				let wrote = false;
				const leave = (): void => {
					if (!caller.writableFinished) cut?.();
				};
				// Node closes an ended socket some turns later: tens of ms when hundreds disconnect at once.
				const { socket } = caller.req;
				const over = (): void => {
					caller.off('close', leave);
					socket.off('end', leave);
				};
				agent.dispatch(
					{
						origin: url.origin,
						path: url.pathname + url.search,
						method,
						headers,
						body: body ?? null,
						headersTimeout: timeoutMs,
						bodyTimeout: timeoutMs
					},
					{
						onRequestStart(controller) {
							cut = () => controller.abort(CALLER_GONE);
							caller.once('close', leave);
							socket.once('end', leave);
							if (caller.destroyed) leave();
						},
						onResponseStart(controller, status, received) {
							if (status < 200) return;
							maskHeaders(received, hide);
							const sink = receive(status, received);
							into = sink;
							sink.on('drain', () => controller.resume());
							// Headers are flushed explicitly only if no bytes came along with them.
							queueMicrotask(() => {
								if (!wrote && caller.headersSent && !caller.destroyed) caller.flushHeaders();
							});
							resolve(sink);
						},
						onResponseData(controller, chunk) {
							wrote = true;
							const masked = mask ? mask.take(chunk) : chunk;
							if (masked.byteLength > 0 && into && !into.destroyed && !into.write(masked)) controller.pause();
						},
						onResponseEnd() {
							wrote = true;
							over();
							if (into && !into.destroyed) into.end(mask?.rest());
						},
						onResponseError(_controller, error) {
							over();
							const sink = into;
							if (!sink) return reject(refusalFor(error));
							// A response has no reader of its own for the error: cutting it is the only signal left.
							const cutOff = (): void => void sink.destroy(sink instanceof OutgoingMessage ? undefined : error);
							// A disconnected caller needs no answer: first abort the upstream calls of all that
							// disconnect together.
							if (error === CALLER_GONE) setImmediate(cutOff);
							else cutOff();
						}
					}
				);
			});
		},
		close: () => void agent.destroy()
	};
}

function refusalFor(error: Error): Error {
	if (error instanceof Refusal) return error;
	if (error instanceof errors.HeadersTimeoutError || error instanceof errors.ConnectTimeoutError)
		return new Refusal(504, 'upstream_timeout', 'The provider did not respond in time. Try again later.');
	return new Refusal(502, 'upstream_unreachable', 'The provider could not be reached. Try again later.', {}, error);
}
