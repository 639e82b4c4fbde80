import { Buffer } from 'buffer';
import { HttpParser, type MessageHead } from '#computer/http/parser.ts';
import { HttpSyntaxError } from '#computer/http/syntax-error.ts';
import { isSyscallError, systemError } from '../../runtime/errors.ts';
import { outsideFailure } from '../net/address.ts';
import { Socket } from '../net/socket.ts';

type Done = (error?: Error | null) => void;

const PER_CONNECTION = /^(connection|keep-alive|transfer-encoding|content-length|host|expect|upgrade)$/i;

/**
 * Client connection to another host. A whole request is collected and sent through the page, which asks the user and
 * records it; the response is passed back through this socket.
 */
export class EgressSocket extends Socket {
	#head: MessageHead | null = null;
	#body: Uint8Array[] = [];
	readonly #parser: HttpParser;

	/** @param origin scheme and host: `https://example.com` */
	constructor(private readonly origin: string) {
		super();
		this.#parser = new HttpParser('request', {
			head: (head) => {
				this.#head = head;
				this.#body = [];
				return 'message';
			},
			body: (bytes) => void this.#body.push(bytes),
			end: () => void this.#send()
		});
		Socket.runtime.loop.nextTick(() => {
			if (this.destroyed) return;
			this.emit('connect');
			this.emit('secureConnect');
			this.emit('ready');
		}, []);
	}

	override _read(): void {}

	override _write(chunk: Uint8Array, _encoding: unknown, done: Done): void {
		try {
			this.#parser.write(chunk);
			done();
		} catch (error) {
			done(error instanceof HttpSyntaxError ? error : systemError('EPIPE', 'write'));
		}
	}

	override _final(done: Done): void {
		done();
	}

	async #send(): Promise<void> {
		const { loop, async: calls } = Socket.runtime;
		const { method = 'GET', target = '/', headers = [] } = this.#head ?? {};
		const request = {
			method,
			url: /^https?:/.test(target) ? target : this.origin + target,
			headers: headers.filter(([name]) => !PER_CONNECTION.test(name)),
			body: this.#body.length > 0 ? new Uint8Array(Buffer.concat(this.#body)) : null,
			purpose: 'fetch'
		};
		try {
			const answer = await loop.holdWhile(calls.fetch(request));
			loop.enter(() => {
				const kept = answer.headers.filter(([name]) => !PER_CONNECTION.test(name));
				const lines = kept.map(([name, value]) => `${name}: ${value}\r\n`).join('');
				const isWithoutBody = method === 'HEAD' || answer.status === 204 || answer.status === 304;
				const length = isWithoutBody ? '' : `Content-Length: ${answer.body.length}\r\n`;
				const first = `HTTP/1.1 ${answer.status} ${answer.statusText}\r\n`;
				this.push(Buffer.from(`${first}${lines}${length}Connection: close\r\n\r\n`, 'latin1'));
				if (!isWithoutBody && answer.body.length > 0) this.push(Buffer.from(answer.body));
				this.push(null);
			});
		} catch (error) {
			const shown = isSyscallError(error) ? outsideFailure(error, new URL(request.url).hostname) : (error as Error);
			loop.enter(() => this.destroy(shown));
		}
	}
}
