import { createAdapter, type ProviderConfig } from './adapters/registry.ts';
import { Attempt } from './attempt.ts';
import { classifyThrown } from './classify-thrown.ts';
import { type Deadlines, defaultDeadlines } from './deadlines.ts';
import { ConfigurationError, type ProviderError, StreamError } from './errors.ts';
import { defaultRetry, pause, retryDelay, type RetryPolicy } from './retry.ts';
import { withoutKey } from './without-key.ts';
import type { Adapter, Client, Request, Response, StreamEvent } from './types.ts';

/** Wraps every request, including those of `complete`; the first in the list is the outermost. */
export type Middleware = (
	request: Request,
	next: (request: Request) => AsyncIterable<StreamEvent>
) => AsyncIterable<StreamEvent>;

export interface ClientOptions {
	/** Providers by the name that requests use: how to reach one, or a custom adapter. */
	providers: Record<string, ProviderConfig | Adapter>;
	/** Serves requests whose `provider` is `''`; defaults to the first of `providers`. */
	defaultProvider?: string;
	/** Used for providers without their own `fetch`. */
	fetch?: typeof globalThis.fetch;
	retry?: Partial<RetryPolicy>;
	deadlines?: Partial<Deadlines>;
	middleware?: Middleware[];
}

/**
 * Creates one client for all configured providers. `stream` never throws: it ends with `finish` or `error`.
 * `complete` streams internally and rejects with a {@link ProviderError}.
 */
export function createClient(options: ClientOptions): Client {
	const retry = { ...defaultRetry, ...options.retry };
	const deadlines = { ...defaultDeadlines, ...options.deadlines };
	const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
	const adapters = new Map<string, Adapter>();

	function route(name: string): Adapter {
		const known = adapters.get(name);
		if (known) return known;
		const provider = options.providers[name];
		if (!provider) throw unknownProvider(name, Object.keys(options.providers));
		const adapter = 'stream' in provider ? provider : createAdapter(name, { fetch, ...provider });
		adapters.set(name, adapter);
		return adapter;
	}

	async function* attempts(original: Request, current: { attempt?: Attempt }): AsyncGenerator<StreamEvent, void> {
		const name = original.provider || options.defaultProvider || Object.keys(options.providers)[0] || '';
		const request = { ...original, provider: name };
		let started = false;
		for (let retries = 1; ; retries++) {
			let adapter: Adapter;
			try {
				adapter = route(name);
			} catch (error) {
				yield { type: 'error', error: classifyThrown(name, error) };
				return;
			}
			const provider = options.providers[name];
			const ownFetch = provider && 'fetch' in provider ? provider.fetch : undefined;
			const attempt = new Attempt(adapter, request, ownFetch ?? fetch, deadlines);
			let delivered = false;
			let failure: Extract<StreamEvent, { type: 'error' }> | undefined;
			try {
				for (let event = await attempt.next(); event; event = await attempt.next()) {
					if (event.type === 'error') {
						failure = event;
						break;
					}
					if (event.type === 'start') {
						if (!started) yield event;
						started = true;
						continue;
					}
					delivered = true;
					// From here on this attempt is never retried, so items that have arrived may be taken from it.
					current.attempt = attempt;
					yield event;
					if (event.type === 'finish') return;
				}
			} finally {
				delete current.attempt;
				await attempt.close();
			}
			const error = failure
				? withoutKey(classifyThrown(name, failure.error, original.signal), keyOf(provider))
				: new StreamError({ provider: name, message: 'The response ended without a result. Try again.' });
			const delayMs = delivered || original.signal?.aborted ? null : retryDelay(retry, retries, error);
			if (delayMs === null) {
				yield failure ? { ...failure, error } : { type: 'error', error };
				return;
			}
			yield { type: 'retry', attempt: retries, delayMs, code: error.code, message: error.message };
			await pause(delayMs, original.signal);
		}
	}

	function send(request: Request): AsyncIterable<StreamEvent> {
		const current: { attempt?: Attempt } = {};
		return Object.assign(attempts(request, current), { arrived: () => current.attempt?.arrived() });
	}

	const stream = (options.middleware ?? []).reduceRight<(request: Request) => AsyncIterable<StreamEvent>>(
		(next, middleware) => (request) => middleware(request, next),
		send
	);
	return { stream, complete: (request) => collect(stream(request)) };
}

function keyOf(provider: ProviderConfig | Adapter | undefined): string | undefined {
	return provider && 'apiKey' in provider ? provider.apiKey : undefined;
}

async function collect(events: AsyncIterable<StreamEvent>): Promise<Response> {
	for await (const event of events) {
		if (event.type === 'finish') return event.response;
		if (event.type === 'error') throw event.error;
	}
	throw new StreamError({ provider: '' });
}

function unknownProvider(name: string, known: string[]): ProviderError {
	if (known.length === 0) return new ConfigurationError({ provider: name });
	return new ConfigurationError({
		provider: name,
		message: `No provider named "${name}" is configured; there is ${known.join(', ')}. Choose one of these or add a key.`
	});
}
