import { StreamError } from './errors.ts';

export interface BodyWatcher {
	provider: string;
	/** Fires on stop, abort and expired deadlines; its reason is thrown. */
	signal: AbortSignal;
	onBytes(): void;
}

type Chunk = ReadableStreamReadResult<Uint8Array>;

/**
 * Replaces a response's body with a watched one. It is not a second stream around the first, which would cost more per
 * chunk than everything else. It implements only `getReader` and `for await`, which the SDKs use to read a body.
 */
export function watchBody(response: Response, watcher: BodyWatcher): Response {
	if (response.body) Object.defineProperty(response, 'body', { value: new WatchedBody(response.body, watcher) });
	return response;
}

/**
 * Ends immediately with the signal's reason, even if the transport hangs; a transport failure is a {@link
 * StreamError}.
 */
class WatchedBody implements AsyncIterableIterator<Uint8Array> {
	readonly #body: ReadableStream<Uint8Array>;
	/** Created by the first read, so that the response's own methods can still read the whole body. */
	#reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
	readonly #watcher: BodyWatcher;
	/** Cancels the pending read. One listener per body, since every chunk passes through here. */
	#stop: ((reason: unknown) => void) | undefined;

	constructor(body: ReadableStream<Uint8Array>, watcher: BodyWatcher) {
		this.#body = body;
		this.#watcher = watcher;
		const { signal } = watcher;
		const stop = () => {
			this.#stop?.(signal.reason);
			this.#abandon(signal.reason);
		};
		if (signal.aborted) stop();
		else signal.addEventListener('abort', stop, { once: true });
	}

	read(): Promise<Chunk> {
		const { signal, provider } = this.#watcher;
		return new Promise((resolve, reject) => {
			if (signal.aborted) return reject(signal.reason);
			this.#stop = reject;
			this.#reader ??= this.#body.getReader();
			this.#reader.read().then(
				(chunk) => {
					this.#watcher.onBytes();
					resolve(chunk);
				},
				(cause: unknown) => {
					reject(signal.aborted ? signal.reason : new StreamError({ provider, cause }));
					this.#abandon(cause);
				}
			);
		});
	}

	async next(): Promise<IteratorResult<Uint8Array, undefined>> {
		const { done, value } = await this.read();
		return done ? { done, value: undefined } : { done, value };
	}

	async return(): Promise<IteratorResult<Uint8Array, undefined>> {
		await this.cancel();
		return { done: true, value: undefined };
	}

	/** The body is its own reader. */
	getReader(): this {
		return this;
	}

	releaseLock(): void {
		this.#reader?.releaseLock();
	}

	cancel(reason?: unknown): Promise<void> {
		return (this.#reader ?? this.#body).cancel(reason);
	}

	[Symbol.asyncIterator](): this {
		return this;
	}

	#abandon(reason: unknown): void {
		this.cancel(reason).catch(ignoreClosed);
	}
}

/** Ignores a failed cancellation: the connection has already failed. */
function ignoreClosed(): void {}
