import { type Deadlines, DeadlineWatch } from './deadlines.ts';
import { AbortedError } from './errors.ts';
import type { Adapter, Request, StreamEvent } from './types.ts';
import { watchedFetch } from './watched-fetch.ts';

/** One try at a request: its own signal, its own deadlines. Close it whatever happens. */
export class Attempt {
	private readonly controller = new AbortController();
	private readonly watch: DeadlineWatch;
	private finished = false;
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

	async *events(): AsyncGenerator<StreamEvent, void> {
		const { watch, controller } = this;
		const wire = watchedFetch(this.fetch, {
			provider: this.request.provider,
			signal: controller.signal,
			onHeaders: () => watch.headersArrived(),
			onBytes: () => watch.lifeSign()
		});
		const request = { ...this.request, signal: controller.signal };
		const iterator = this.adapter.stream(request, { fetch: wire })[Symbol.asyncIterator]();
		try {
			for (;;) {
				watch.wait();
				const next = await iterator.next();
				watch.rest();
				if (next.done) return;
				if (next.value.type !== 'start') watch.contentArrived();
				watch.lifeSign();
				// Adapters finish after the last byte: nothing is open any more.
				if (next.value.type === 'finish') this.finished = true;
				yield next.value;
			}
		} catch (error) {
			yield { type: 'error', error: error instanceof Error ? error : new Error(String(error)) };
		} finally {
			watch.stop();
			await iterator.return?.();
		}
	}

	/** Ends the connection if it is still open. */
	close(): void {
		this.watch.stop();
		this.request.signal?.removeEventListener('abort', this.forward);
		if (!this.finished && !this.controller.signal.aborted) {
			this.controller.abort(new AbortedError({ provider: this.request.provider }));
		}
	}
}
