import { SyscallError, type AsyncSyscalls } from '#computer/abi/client.ts';
import { encode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { Carrier, Service } from './carrier.ts';

/**
 * Carries requests over smart HTTP (https://git-scm.com/docs/gitprotocol-http), through the page, which asks for
 * permission to reach the host and adds the stored token.
 */
export class HttpCarrier implements Carrier {
	readonly #headers: [string, string][] = [];
	#address: string;

	constructor(
		private readonly calls: AsyncSyscalls,
		private readonly url: string
	) {
		const [, start = '', user, end = ''] = /^(https?:\/\/)(?:([^@/]*)@)?(.*)$/s.exec(url) ?? [];
		this.#address = `${start}${end}`.replace(/\/$/, '');
		if (user === undefined) return;
		const [name = '', secret = ''] = user.split(/:(.*)/s).map(unescaped);
		this.#headers.push(['Authorization', `Basic ${btoa(String.fromCharCode(...encode(`${name}:${secret}`)))}`]);
	}

	async advertisement(service: Service): Promise<Uint8Array> {
		const end = `/info/refs?service=${service}`;
		const response = await this.#send('GET', end, [], null);
		// git itself follows a redirect in the same way: the other requests go there, too.
		if (response.url.endsWith(end)) this.#address = response.url.slice(0, -end.length);
		return response.body;
	}

	async *request(service: Service, body: Uint8Array): AsyncGenerator<Uint8Array> {
		const type = `application/x-${service}`;
		const headers: [string, string][] = [
			['content-type', `${type}-request`],
			['accept', `${type}-result`]
		];
		yield (await this.#send('POST', `/${service}`, headers, body)).body;
	}

	close(): Promise<void> {
		return Promise.resolve();
	}

	async #send(method: string, end: string, headers: [string, string][], body: Uint8Array | null) {
		const { url } = this;
		try {
			const response = await this.calls.fetch({
				method,
				url: `${this.#address}${end}`,
				headers: [...this.#headers, ...headers],
				body,
				purpose: 'git'
			});
			const { status } = response;
			if (status === 401 || status === 403) throw fatal(`Authentication failed for '${url}'`);
			if (status === 404) throw fatal(`repository '${url}' not found`);
			if (status !== 200) throw fatal(`unable to access '${url}': The requested URL returned error: ${status}`);
			return response;
		} catch (error) {
			if (error instanceof SyscallError) throw fatal(`unable to access '${url}': ${error.message}`);
			throw error;
		}
	}
}

/** Decodes percent-escapes in a part of an address. Invalid escapes are left as they are. */
export const unescaped = (text: string): string =>
	text.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
		try {
			return decodeURIComponent(escaped);
		} catch {
			return escaped;
		}
	});
