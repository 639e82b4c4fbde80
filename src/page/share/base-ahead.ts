import { archiveUrl } from '#workspace/import/archive.ts';

/** What is fetched before somebody asked for it. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The archive a share begins with, fetched while its replay is shown, so that who continues does not wait for the host.
 * Only bytes: they are neither unpacked nor run, and the person is asked for nothing. Where it cannot be had this way,
 * {@link fetch} asks again and meets the reason.
 */
export class BaseAhead {
	readonly #url: string;
	readonly #abort = new AbortController();
	readonly #response: Promise<Response | null>;
	#chunks: Uint8Array<ArrayBuffer>[] = [];
	#reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | null = null;
	#reading: Promise<void> = Promise.resolve();
	#taken = false;

	/**
	 * @param base what the share says of where it begins
	 * @param serverUrl where this page comes from
	 */
	constructor(
		base: { url: string; commit: string },
		serverUrl: string,
		private readonly send: typeof fetch = (...request) => fetch(...request),
		private readonly maxBytes = MAX_BYTES
	) {
		this.#url = archiveUrl(base.url, base.commit, serverUrl).href;
		this.#response = this.#begin();
	}

	/** As the browser's own; the base's archive comes from here, once, and goes on where it is. */
	readonly fetch: typeof fetch = async (input, init) => {
		const isBase = (input instanceof Request ? input.url : String(input)) === this.#url;
		if (!isBase || this.#taken) return this.send(input, init);
		this.#taken = true;
		init?.signal?.addEventListener('abort', () => this.leave());
		const response = await this.#response;
		await this.#reading;
		const reader = this.#reader;
		if (!response || !reader) return this.send(input, init);
		const arrived = this.#chunks;
		this.#chunks = [];
		const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
			async pull(controller) {
				const chunk = arrived.shift() ?? (await reader.read()).value;
				if (chunk) controller.enqueue(chunk);
				else controller.close();
			},
			cancel: (reason) => reader.cancel(reason)
		});
		return new Response(body, { status: response.status, headers: response.headers });
	};

	/** The person went elsewhere, or gave up. */
	leave(): void {
		this.#abort.abort();
		this.#forget();
	}

	async #begin(): Promise<Response | null> {
		try {
			const response = await this.send(this.#url, { signal: this.#abort.signal });
			if (!response.ok || !response.body) return null;
			this.#reader = response.body.getReader();
			this.#reading = this.#read(this.#reader);
			return response;
		} catch {
			// Nobody waits for it: who does asks again, and is told.
			return null;
		}
	}

	/** Reads until somebody takes it, or it is too much to keep for nobody. */
	async #read(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>): Promise<void> {
		try {
			for (let bytes = 0; !this.#taken;) {
				const { done, value } = await reader.read();
				if (done) return;
				this.#chunks.push(value);
				bytes += value.length;
				if (bytes > this.maxBytes && !this.#taken) return this.leave();
			}
		} catch {
			// It broke off: what arrived is worth nothing.
			this.#forget();
		}
	}

	#forget(): void {
		this.#chunks = [];
		this.#reader = null;
	}
}
