import { archiveUrl } from '#workspace/import/archive.ts';

/** Size limit for fetching in advance. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Archive of a share's base, fetched while its replay is shown, so that continuing need not wait for the host. Only
 * bytes: they are neither unpacked nor executed, and the user is not asked. If it is unavailable this way, {@link
 * fetch} requests it again and gets the reason.
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
	 * @param base the share's base
	 * @param serverUrl URL of this page's server
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

	/**
	 * Works like the browser's `fetch`, but serves the base's archive from here, once, continuing the download in
	 * progress.
	 */
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

	/** Stops the download after the user left or cancelled. */
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
			// Not awaited: the next request gets the reason.
			return null;
		}
	}

	/** Reads until the archive is used or exceeds the limit. */
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
			// The download was interrupted: a partial archive is useless.
			this.#forget();
		}
	}

	#forget(): void {
		this.#chunks = [];
		this.#reader = null;
	}
}
