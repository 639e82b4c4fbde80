import { classifyAnswer } from './classify-error.ts';
import { NetworkError } from './errors.ts';
import { retryAfterMs, retryDelayInBody } from './retry-after.ts';
import { type BodyWatcher, watchBody } from './watched-body.ts';

export interface FetchWatcher extends BodyWatcher {
	onHeaders(): void;
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
		const { status, headers } = response;
		if (response.ok) return watchBody(response, watcher);
		const text = await until(signal, response.text()).catch(() => (signal.throwIfAborted(), ''));
		const wait = retryAfterMs(headers) ?? retryDelayInBody(text);
		throw classifyAnswer({ provider, status, body: text, ...(wait === undefined ? {} : { retryAfterMs: wait }) });
	};
}

function until<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		const stop = () => reject(signal.reason);
		signal.addEventListener('abort', stop, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
	});
}
