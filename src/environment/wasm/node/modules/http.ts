import { Buffer } from 'buffer';
import { unsupported } from '../runtime/errors.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { createFetch } from './fetch.ts';
import { STATUS_CODES } from './http-status.ts';
import streams from './stream.ts';

interface RequestOptions {
	protocol?: string;
	hostname?: string;
	host?: string;
	port?: number | string;
	path?: string;
	method?: string;
	headers?: Record<string, string | string[] | number>;
	auth?: string;
	timeout?: number;
}

class IncomingMessage extends streams.Readable {
	httpVersion = '1.1';
	statusCode = 200;
	statusMessage = 'OK';
	headers: Record<string, string> = {};
	rawHeaders: string[] = [];
	complete = false;
	url = '';
}

/** The client half of `node:http` and `node:https`, over the sandbox's own fetch. Servers come with the preview. */
export function createHttp(runtime: Runtime, scheme: 'http:' | 'https:'): Record<string, unknown> {
	class ClientRequest extends streams.Writable {
		readonly #chunks: Uint8Array[] = [];
		readonly #headers: Headers;
		readonly #abort = new AbortController();
		readonly path: string;
		readonly method: string;
		readonly #url: URL;

		constructor(url: URL, options: RequestOptions, listener?: (response: IncomingMessage) => void) {
			super();
			this.#url = url;
			this.path = url.pathname + url.search;
			this.method = options.method?.toUpperCase() ?? 'GET';
			this.#headers = new Headers();
			for (const [name, value] of Object.entries(options.headers ?? {})) {
				for (const one of [value].flat()) this.#headers.append(name, String(one));
			}
			if (options.auth) this.#headers.set('authorization', `Basic ${btoa(options.auth)}`);
			if (listener) this.once('response', listener);
		}

		setHeader(name: string, value: string): this {
			this.#headers.set(name, value);
			return this;
		}
		getHeader(name: string): string | undefined {
			return this.#headers.get(name) ?? undefined;
		}
		removeHeader(name: string): void {
			this.#headers.delete(name);
		}
		flushHeaders(): void {}
		setNoDelay(): void {}
		setSocketKeepAlive(): void {}
		setTimeout(ms: number, listener?: () => void): this {
			if (listener) this.once('timeout', listener);
			runtime.timers.setTimeout(() => this.emit('timeout'), ms).unref();
			return this;
		}
		abort(): void {
			this.destroy();
		}

		override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
			this.#chunks.push(chunk);
			done();
		}

		override _final(done: (error?: Error) => void): void {
			done();
			this.#send().catch((error: unknown) =>
				runtime.loop.enter(() =>
					this.destroy(error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error))
				)
			);
		}

		override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
			this.#abort.abort();
			done(error);
		}

		async #send(): Promise<void> {
			const body =
				this.#chunks.length > 0 && !/^(GET|HEAD)$/.test(this.method) ? Buffer.concat(this.#chunks) : undefined;
			const init = { method: this.method, headers: this.#headers, body: body && new Uint8Array(body) };
			const answer = await createFetch(runtime)(this.#url, init);
			const bytes = Buffer.from(await answer.arrayBuffer());
			const message = new IncomingMessage({ read() {} });
			message.statusCode = answer.status;
			message.statusMessage = answer.statusText || (STATUS_CODES[answer.status] ?? '');
			for (const [name, value] of answer.headers) {
				message.headers[name] = value;
				message.rawHeaders.push(name, value);
			}
			runtime.loop.enter(() => {
				if (this.listenerCount('response') === 0) message.resume();
				this.emit('response', message);
				if (bytes.length > 0) message.push(bytes);
				message.complete = true;
				message.push(null);
			});
		}
	}

	const request = (...args: unknown[]) => {
		const listener = args.find((arg) => typeof arg === 'function') as ((response: IncomingMessage) => void) | undefined;
		const url = typeof args[0] === 'string' || args[0] instanceof URL ? new URL(args[0]) : null;
		const options = (args.find((arg) => typeof arg === 'object' && arg !== null && !(arg instanceof URL)) ??
			{}) as RequestOptions;
		const host = options.hostname ?? options.host ?? 'localhost';
		const port = options.port ? `:${options.port}` : '';
		return new ClientRequest(
			url ?? new URL(`${options.protocol ?? scheme}//${host}${port}${options.path ?? '/'}`),
			options,
			listener
		);
	};
	class Agent {
		constructor(readonly options: object = {}) {}
		destroy(): void {}
	}
	const refuse = (what: string) => () => {
		throw unsupported(
			`${scheme.slice(0, -1)}.${what}()`,
			'Servers cannot listen here yet; call the handler directly in tests.'
		);
	};
	return {
		request,
		get: (...args: unknown[]) => {
			const sent = request(...args);
			sent.end();
			return sent;
		},
		ClientRequest,
		IncomingMessage,
		ServerResponse: class ServerResponse extends streams.Writable {},
		OutgoingMessage: class OutgoingMessage extends streams.Writable {},
		Server: class Server {
			constructor() {
				refuse('Server')();
			}
		},
		createServer: refuse('createServer'),
		Agent,
		globalAgent: new Agent(),
		METHODS: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
		STATUS_CODES,
		maxHeaderSize: 16_384,
		validateHeaderName: () => undefined,
		validateHeaderValue: () => undefined
	};
}
