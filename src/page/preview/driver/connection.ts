import { PreviewError } from '#environment/preview.ts';
import type { DriverPart } from './code.ts';
import { Answers, Failure, FromDriver, type AnswerTo, type DriverRequest } from './messages.ts';
import * as z from 'zod/mini';

/** Unsolicited messages to ignore; after that, the port is closed to save the page from reading them. */
const MOST_UNASKED = 100;
/** Maximum pending requests to one document. */
const MOST_OPEN = 20;

interface Pending {
	settle(ok: boolean, json: string): void;
	fail(error: Error): void;
}

export interface RequestOptions {
	/** Milliseconds. */
	withinMs: number;
	signal?: AbortSignal | undefined;
}

/**
 * Connection to one document's driver, over the port it offered. The document's scripts may send anything or nothing:
 * each answer is parsed, must belong to a pending request, and is dropped after the time limit.
 */
export class DriverConnection {
	readonly #pending = new Map<number, Pending>();
	#unasked = 0;
	#lastId = 0;
	#ended: string | null = null;
	readonly #loading = new Map<DriverPart, Promise<void>>();
	#loaded: ((ok: boolean) => void) | null = null;

	/** @param loadCode loads the source of the driver, a classic script that finds its host in the global `name` */
	constructor(
		private readonly port: MessagePort,
		private readonly loadCode: (name: string, part: DriverPart) => Promise<string>
	) {
		port.onmessage = ({ data }: MessageEvent<unknown>) => this.#take(data);
	}

	/** Sends a request to the document. Rejects with {@link PreviewError}, or with the signal's reason. */
	async request<Method extends DriverRequest['method']>(
		request: Extract<DriverRequest, { method: Method }>,
		options: RequestOptions
	): Promise<AnswerTo<Method>> {
		options.signal?.throwIfAborted();
		await this.#load('driver', options);
		if (request.method === 'picture') await this.#load('picture', options);
		const id = ++this.#lastId;
		const { ok, json } = await this.#answer(id, options, () => this.port.postMessage({ id, ...request }));
		if (!ok) throw new PreviewError(parsed(Failure, json)?.message ?? 'The page failed without saying why.');
		const answer = parsed(Answers[request.method], json);
		if (answer === null) throw new PreviewError('The page gave an answer that cannot be read: it replaced the driver.');
		return answer as AnswerTo<Method>;
	}

	/** Rejects pending requests. @param why a sentence */
	end(why: string): void {
		if (this.#ended !== null) return;
		this.#ended = why;
		this.port.close();
		for (const { fail } of this.#pending.values()) fail(new PreviewError(why));
		this.#pending.clear();
		this.#loaded?.(false);
	}

	#load(part: DriverPart, options: RequestOptions): Promise<void> {
		const loading =
			this.#loading.get(part) ??
			this.#sendCode(part, options).catch((error: unknown) => {
				this.#loading.delete(part);
				throw error;
			});
		this.#loading.set(part, loading);
		return loading;
	}

	async #sendCode(part: DriverPart, { withinMs, signal }: RequestOptions): Promise<void> {
		// Lets the script find its host while it runs; removed before the project's scripts continue.
		const name = `sandglass-${crypto.randomUUID()}`;
		const code = await this.loadCode(name, part);
		signal?.throwIfAborted();
		if (this.#ended !== null) throw new PreviewError(this.#ended);
		const ok = await new Promise<boolean>((resolve) => {
			const timer = setTimeout(resolve, withinMs, false);
			const stop = (): void => resolve(false);
			signal?.addEventListener('abort', stop);
			this.#loaded = (isLoaded) => {
				clearTimeout(timer);
				signal?.removeEventListener('abort', stop);
				resolve(isLoaded);
			};
			this.port.postMessage({ type: 'load', name, code });
		});
		this.#loaded = null;
		signal?.throwIfAborted();
		if (!ok)
			throw new PreviewError(this.#ended ?? `The page does not answer: it is busy, or its own policy forbids scripts.`);
	}

	#answer(id: number, options: RequestOptions, send: () => void): Promise<{ ok: boolean; json: string }> {
		const { withinMs, signal } = options;
		if (this.#ended !== null) return Promise.reject(new PreviewError(this.#ended));
		if (this.#pending.size >= MOST_OPEN)
			return Promise.reject(new PreviewError('The page still works on earlier requests. Open it again.'));
		return new Promise((resolve, reject) => {
			const end = (): void => {
				this.#pending.delete(id);
				clearTimeout(timer);
				signal?.removeEventListener('abort', stop);
			};
			const fail = (error: unknown): void => {
				end();
				reject(error instanceof Error ? error : new Error(String(error)));
			};
			const stop = (): void => fail(signal?.reason);
			const late = `The page did not answer within ${Math.round(withinMs / 1000)} s: a script in it keeps it busy, or it went elsewhere. Open it again.`;
			const timer = setTimeout(() => fail(new PreviewError(late)), withinMs);
			signal?.addEventListener('abort', stop);
			this.#pending.set(id, {
				fail,
				settle(ok, json) {
					end();
					resolve({ ok, json });
				}
			});
			send();
		});
	}

	#take(data: unknown): void {
		const message = z.safeParse(FromDriver, data);
		if (message.success && 'loaded' in message.data && this.#loaded) return this.#loaded(message.data.loaded);
		const pending = message.success && 'id' in message.data ? this.#pending.get(message.data.id) : undefined;
		if (message.success && 'id' in message.data && pending) return pending.settle(message.data.ok, message.data.json);
		if (++this.#unasked > MOST_UNASKED)
			this.end('The page flooded the driver with messages, so it was cut off. Open it again.');
	}
}

function parsed<Schema extends z.ZodMiniType>(schema: Schema, json: string): z.infer<Schema> | null {
	try {
		return z.parse(schema, JSON.parse(json));
	} catch {
		return null;
	}
}
