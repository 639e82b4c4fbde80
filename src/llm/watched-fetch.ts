import { classifyAnswer } from './classify-error.ts';
import { InvalidRequestError, NetworkError } from './errors.ts';
import { retryAfterMs, retryDelayInBody } from './retry-after.ts';
import { type BodyWatcher, watchBody } from './watched-body.ts';

export interface FetchWatcher extends BodyWatcher {
	onHeaders(): void;
}

/**
 * Creates a `fetch` for one request that reports its progress, ends when the signal fires even if the transport
 * hangs, and throws the typed error of a failed response. Passed to the SDKs, so that all of them fail in the
 * same way.
 */
export function watchedFetch(fetch: typeof globalThis.fetch, watcher: FetchWatcher): typeof globalThis.fetch {
	return async (input, init) => {
		const { provider, signal } = watcher;
		signal.throwIfAborted();
		let response: Response;
		try {
			response = await until(signal, fetch(input, { ...init, signal, redirect: 'manual' }));
		} catch (cause) {
			signal.throwIfAborted();
			throw new NetworkError({ provider, cause });
		}
		watcher.onHeaders();
		const { status, headers } = response;
		if (isRedirect(response)) {
			const message = 'The address of the model redirects, which is not followed with a key. Check the base address.';
			throw new InvalidRequestError({ provider, message, ...(status > 0 && { status }) });
		}
		if (response.ok) return watchBody(response, watcher);
		const text = await until(signal, response.text()).catch(() => (signal.throwIfAborted(), ''));
		const wait = retryAfterMs(headers) ?? retryDelayInBody(text);
		throw classifyAnswer({ provider, status, body: text, ...(wait === undefined ? {} : { retryAfterMs: wait }) });
	};
}

/** Browsers report a redirect as `opaqueredirect` with status 0, Node with its real status. */
function isRedirect({ type, status }: Response): boolean {
	return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

function until<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		const stop = () => reject(signal.reason);
		signal.addEventListener('abort', stop, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
	});
}
