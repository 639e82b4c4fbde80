import type { ArrivingIterator } from './arrived.ts';
import { type Deadlines, DeadlineWatch } from './deadlines.ts';
import { AbortedError } from './errors.ts';
import type { Adapter, Request, StreamEvent } from './types.ts';
import { watchedFetch } from './watched-fetch.ts';

/** One attempt at a request, with its own signal and deadlines. Always close it. */
export class Attempt {
	private readonly controller = new AbortController();
	private readonly watch: DeadlineWatch;
	private finished = false;
	private iterator: ArrivingIterator<StreamEvent> | undefined;
	private readonly forward = () =>
		this.controller.abort(new AbortedError({ provider: this.request.provider, cause: this.request.signal?.reason }));

	constructor(
		private readonly adapter: Adapter,
		private readonly request: Request,
		private readonly fetch: typeof globalThis.fetch,
		deadlines: Deadlines
	) {
		this.watch = new DeadlineWatch(request.provider, deadlines, (error) => this.controller.abort(error));
		if (request.signal?.aborted) this.forward();
		request.signal?.addEventListener('abort', this.forward, { once: true });
	}

	/** Returns the next event; `null` at the end. A failure of the adapter itself is also an event. Never rejects. */
	async next(): Promise<StreamEvent | null> {
		const { watch } = this;
		try {
			this.iterator ??= this.open();
			watch.wait();
			const next = await this.iterator.next();
			watch.rest();
			if (next.done) return null;
			if (next.value.type !== 'start') watch.contentArrived();
			watch.lifeSign();
			// Adapters finish after the last byte: the connection is closed by then.
			if (next.value.type === 'finish') this.finished = true;
			return next.value;
		} catch (error) {
			return { type: 'error', error: error instanceof Error ? error : new Error(String(error)) };
		}
	}

	/** Returns the next event if it has already arrived and is neither the first nor the last. */
	arrived(): StreamEvent | undefined {
		return this.iterator?.arrived?.();
	}

	private open(): ArrivingIterator<StreamEvent> {
		const { watch, controller } = this;
		const fetch = watchedFetch(this.fetch, {
			provider: this.request.provider,
			signal: controller.signal,
			onHeaders: () => watch.headersArrived(),
			onBytes: () => watch.lifeSign()
		});
		const request = { ...this.request, signal: controller.signal };
		return this.adapter.stream(request, { fetch })[Symbol.asyncIterator]();
	}

	/** Closes the connection if it is still open. */
	async close(): Promise<void> {
		this.watch.stop();
		this.request.signal?.removeEventListener('abort', this.forward);
		if (!this.finished && !this.controller.signal.aborted) {
			this.controller.abort(new AbortedError({ provider: this.request.provider }));
		}
		await this.iterator?.return?.();
	}
}
