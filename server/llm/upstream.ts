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
	/** The caller's side: when it closes before it is finished, the call is cut. */
	caller: ServerResponse;
	/** Until the answer's headers, and for each silence after them. */
	timeoutMs: number;
	/** The key, which is made illegible in what comes back. */
	hide: string | undefined;
}

/** Connections to the operator's providers: no guard, since only the operator names them. */
export interface Upstream {
	/**
	 * Hands the answer over as it comes, at the pace of what it goes into; an answer that fails cuts that off.
	 * @param receive gets status and headers and says where the body goes; what it throws ends the call
	 * @returns what `receive` returned, as soon as it did
	 * @throws Refusal 502 or 504; what the body or `receive` failed with
	 */
	send<Sink extends Writable>(
		request: UpstreamRequest,
		receive: (status: number, headers: IncomingHttpHeaders) => Sink
	): Promise<Sink>;
	close(): void;
}

/** One for all: a stack for each of many is time that the next in line waits. */
const CALLER_GONE = new Error('The caller went away.');

/**
 * undici's own dispatcher below its `request` and `fetch`: no stream and no promise a chunk, which is half the cost of
 * a proxied call.
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
				// A socket that has ended is closed by Node some turns later: with hundreds leaving at once, tens of ms.
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
							// Headers go out by themselves only where no bytes came along with them.
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
							// A response has no reader of its own for the error: cut, it is told in the only way left.
							const tell = (): void => void sink.destroy(sink instanceof OutgoingMessage ? undefined : error);
							// Who has left waits for nothing: first the providers of all who leave with them are told.
							if (error === CALLER_GONE) setImmediate(tell);
							else tell();
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
		return new Refusal(504, 'upstream_timeout', 'The provider did not answer in time. Try again later.');
	return new Refusal(502, 'upstream_unreachable', 'The provider could not be reached. Try again later.', {}, error);
}
