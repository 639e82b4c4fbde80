import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Server of a registry on the loopback. */
export abstract class LoopbackRegistry {
	readonly #server = http.createServer((request, response) => void this.answer(request, response));
	/** Ends with a slash; empty before the start. */
	url = '';

	protected abstract answer(request: http.IncomingMessage, response: http.ServerResponse): void | Promise<void>;

	async start(): Promise<this> {
		await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
		this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
		return this;
	}

	async close(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}
}
