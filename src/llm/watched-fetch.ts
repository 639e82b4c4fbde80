import { classifyAnswer } from './classify-error.ts';
import { NetworkError, StreamError } from './errors.ts';
import { retryAfterMs, retryDelayInBody } from './retry-after.ts';

export interface FetchWatcher {
	provider: string;
	/** Fires on stop, abort and expired deadlines; its reason is thrown. */
	signal: AbortSignal;
	onHeaders(): void;
	onBytes(): void;
}

/**
 * A `fetch` for one request that reports its progress, ends when the signal fires whatever the transport does, and
 * throws the typed error of a failed answer. The SDKs get it, so all of them fail in the same way.
 */
export function watchedFetch(fetch: typeof globalThis.fetch, watcher: FetchWatcher): typeof globalThis.fetch {
	return async (input, init) => {
		const { provider, signal } = watcher;
		signal.throwIfAborted();
		let response: Response;
		try {
			response = await until(signal, fetch(input, { ...init, signal }));
		} catch (cause) {
			signal.throwIfAborted();
			throw new NetworkError({ provider, cause });
		}
		watcher.onHeaders();
		const body = response.body && watchedBody(response.body, watcher);
		const { status, statusText, headers } = response;
		if (response.ok) return new Response(body, { status, statusText, headers });
		const text = body ? await new Response(body).text().catch(() => (signal.throwIfAborted(), '')) : '';
		const wait = retryAfterMs(headers) ?? retryDelayInBody(text);
		throw classifyAnswer({ provider, status, body: text, ...(wait === undefined ? {} : { retryAfterMs: wait }) });
	};
}

/** Ends with the signal's reason at once, whatever the transport does. One listener a body: each chunk comes through here. */
function watchedBody(body: ReadableStream<Uint8Array>, watcher: FetchWatcher): ReadableStream<Uint8Array> {
	const reader = body.getReader();
	const { provider, signal } = watcher;
	return new ReadableStream({
		start(controller) {
			const stop = () => {
				controller.error(signal.reason);
				reader.cancel(signal.reason).catch(ignoreClosed);
			};
			if (signal.aborted) stop();
			else signal.addEventListener('abort', stop, { once: true });
		},
		async pull(controller) {
			try {
				const { done, value } = await reader.read();
				// The stream has ended already.
				if (signal.aborted) return;
				if (done) return controller.close();
				watcher.onBytes();
				controller.enqueue(value);
			} catch (cause) {
				controller.error(signal.aborted ? signal.reason : new StreamError({ provider, cause }));
				reader.cancel(cause).catch(ignoreClosed);
			}
		},
		cancel: (reason) => reader.cancel(reason)
	});
}

/** Cancelling a connection that has already failed fails too, and means nothing more. */
function ignoreClosed(): void {}

function until<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		const stop = () => reject(signal.reason);
		signal.addEventListener('abort', stop, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
	});
}
