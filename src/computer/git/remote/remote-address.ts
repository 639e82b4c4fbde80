import { SyscallError } from '#computer/abi/client.ts';
import { encode } from '../bytes.ts';
import { fatal, type GitError } from '../errors.ts';
import type { Service } from './carrier.ts';

/** A request of the smart HTTP protocol (https://git-scm.com/docs/gitprotocol-http). */
export interface SmartRequest {
	url: string;
	method: 'GET' | 'POST';
	headers: Record<string, string>;
	body: Uint8Array | null;
}

/** Address of a remote repository, for requests to it and for messages about them. */
export class RemoteAddress {
	readonly #headers: Record<string, string> = {};
	readonly #base: string;

	/** @param url for messages */
	constructor(
		readonly url: string,
		address = url
	) {
		const [, start = '', user, end = ''] = /^(https?:\/\/)(?:([^@/]*)@)?(.*)$/s.exec(address) ?? [];
		this.#base = `${start}${end}`.replace(/\/$/, '');
		if (user === undefined) return;
		const [name = '', secret = ''] = user.split(/:(.*)/s).map(unescaped);
		this.#headers['Authorization'] = `Basic ${btoa(String.fromCharCode(...encode(`${name}:${secret}`)))}`;
	}

	/** Request for references and capabilities. @param headers in addition to the usual ones */
	refs(service: Service, headers: Record<string, string> = {}): SmartRequest {
		const url = `${this.#base}/info/refs?service=${service}`;
		return { url, method: 'GET', headers: { ...this.#headers, ...headers }, body: null };
	}

	/** Request to a service. */
	call(service: Service, body: Uint8Array, headers: Record<string, string> = {}): SmartRequest {
		const types = {
			'content-type': `application/x-${service}-request`,
			accept: `application/x-${service}-result`
		};
		return {
			url: `${this.#base}/${service}`,
			method: 'POST',
			headers: { ...this.#headers, ...types, ...headers },
			body
		};
	}

	/** @throws GitError with git's message unless a request succeeded */
	requireSuccess(status: number): void {
		const { url } = this;
		if (status === 401 || status === 403) throw fatal(`Authentication failed for '${url}'`);
		if (status === 404) throw fatal(`repository '${url}' not found`);
		if (status !== 200) throw fatal(`unable to access '${url}': The requested URL returned error: ${status}`);
	}

	/** Runs a step of an exchange. @throws GitError with git's message if the remote cannot be reached or understood */
	read<T>(step: () => T): T {
		try {
			return step();
		} catch (error) {
			throw this.faultOf(error) ?? error;
		}
	}

	/** Message for a failed exchange; null for other errors. */
	faultOf(error: unknown): GitError | null {
		if (error instanceof SyscallError) return fatal(`unable to access '${this.url}': ${error.message}`);
		return error instanceof RangeError ? fatal(`${this.url}: ${error.message}`) : null;
	}
}

/** Reason if the other side ends before it says anything. */
export const NOTHING_SAID =
	'Could not read from remote repository.\n\n' +
	'Please make sure you have the correct access rights\nand the repository exists.';

/** Message for an address without a repository. */
export const noRepository = (url: string): GitError =>
	fatal(`'${url}' does not appear to be a git repository\nfatal: ${NOTHING_SAID}`);

/** Decodes percent-escapes in a part of an address. Invalid escapes are left as they are. */
const unescaped = (text: string): string =>
	text.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
		try {
			return decodeURIComponent(escaped);
		} catch {
			return escaped;
		}
	});

/** Path in an address of a repository on this volume; null if the address names a host. */
export function localPath(url: string): string | null {
	if (url.startsWith('file://')) return unescaped(url.slice('file://'.length));
	return /^[a-z][a-z0-9+.-]*:\/\//i.test(url) || /^[^/]+:/.test(url) ? null : url;
}
