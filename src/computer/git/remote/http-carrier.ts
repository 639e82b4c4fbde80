import type { AsyncSyscalls } from '#computer/abi/client.ts';
import type { Carrier, Service } from './carrier.ts';
import { HttpRoute } from './http-route.ts';
import { RemoteAddress, type SmartRequest } from './remote-address.ts';

/**
 * Carries requests over smart HTTP (https://git-scm.com/docs/gitprotocol-http), through the page, which asks for
 * permission to reach the host and adds the stored token.
 */
export class HttpCarrier implements Carrier {
	readonly #address: RemoteAddress;
	readonly #route = new HttpRoute();

	constructor(
		private readonly calls: AsyncSyscalls,
		url: string
	) {
		this.#address = new RemoteAddress(url);
	}

	advertisement(service: Service): Promise<Uint8Array> {
		return this.#send(this.#address.refs(service));
	}

	async *request(service: Service, body: Uint8Array): AsyncGenerator<Uint8Array> {
		yield await this.#send(this.#address.call(service, body));
	}

	close(): Promise<void> {
		return Promise.resolve();
	}

	async #send(request: SmartRequest): Promise<Uint8Array> {
		try {
			const response = await this.calls.fetch(this.#route.request(request));
			this.#route.answered(request.url, response.url);
			this.#address.requireSuccess(response.status);
			return response.body;
		} catch (error) {
			throw this.#address.faultOf(error) ?? error;
		}
	}
}
