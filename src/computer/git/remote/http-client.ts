import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { concat } from '../bytes.ts';
import type { AsyncSyscalls } from '#computer/abi/client.ts';
import type { WireRequest } from '#computer/abi/syscalls.ts';
import { withoutPack, type Takers } from './pack-response.ts';
import type { SmartRequest } from './remote-address.ts';

/** Sends requests through the page, which asks for permission to reach the host and adds the stored token. */
export function pageHttp(calls: AsyncSyscalls, takers?: Takers): HttpClient {
	const route = new HttpRoute();
	return {
		async request({ url, method = 'GET', headers = {}, body }: GitHttpRequest): Promise<GitHttpResponse> {
			const parts: Uint8Array[] = [];
			if (body) for await (const part of body) parts.push(part);
			const bytes = parts.length > 0 ? concat(parts) : null;
			const response = await calls.fetch(
				route.request({ url, method: method as 'GET' | 'POST', headers, body: bytes })
			);
			route.answered(url, response.url);
			const isPack = method === 'POST' && response.status === 200;
			return {
				url: response.url,
				method,
				statusCode: response.status,
				statusMessage: response.statusText,
				headers: Object.fromEntries(response.headers),
				body: takers && isPack ? withoutPack(once(response.body), takers) : once(response.body)
			};
		}
	};
}

/** Base URL of a repository before and after a redirect of `info/refs`, which git itself follows in the same way. */
export class HttpRoute {
	#moved: { from: string; to: string } | null = null;

	/** Request for the page, to where the repository has moved. */
	request({ url, method, headers, body }: SmartRequest): WireRequest {
		const moved = this.#moved;
		return {
			method,
			url: moved && url.startsWith(moved.from) ? moved.to + url.slice(moved.from.length) : url,
			headers: Object.entries(headers),
			body,
			purpose: 'git'
		};
	}

	/** Notes where a request for `info/refs` was redirected to. */
	answered(asked: string, answered: string): void {
		const end = asked.slice(asked.indexOf('/info/refs?') + 1);
		if (asked === answered || !asked.includes('/info/refs?') || !answered.endsWith(`/${end}`)) return;
		this.#moved = { from: asked.slice(0, -end.length), to: answered.slice(0, -end.length) };
	}
}

/** Wraps a client so that packs are extracted from its responses. */
export function tapped(client: HttpClient, takers: Takers): HttpClient {
	return {
		async request(request: GitHttpRequest): Promise<GitHttpResponse> {
			const response = await client.request(request);
			if (request.method !== 'POST' || !response.body) return response;
			return { ...response, body: withoutPack(response.body, takers) };
		}
	};
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}
