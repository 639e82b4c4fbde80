import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { concat } from '../bytes.ts';
import { offersFilter, withoutBlobs } from './blob-filter.ts';
import { withoutPack, type Takers } from './pack-response.ts';
import type { AsyncSyscalls } from '#computer/abi/client.ts';

/** Additions to a fetch by isomorphic-git. */
export interface FetchTraffic extends Takers {
	/** Omits file contents if the server supports it (`filter blob:none`). */
	withoutContents: boolean;
	/** Called when the pack is complete. An error thrown here aborts the fetch. */
	packEnded(): void;
}

/** Sends requests through the page, which asks for permission to reach the host and adds the stored token. */
export function pageHttp(calls: AsyncSyscalls, traffic?: FetchTraffic): HttpClient {
	let canFilter = false;
	let moved: { from: string; to: string } | null = null;
	return {
		async request({ url, method = 'GET', headers = {}, body }: GitHttpRequest): Promise<GitHttpResponse> {
			let parts: Uint8Array[] = [];
			if (body) for await (const part of body) parts.push(part);
			if (canFilter && method === 'POST') parts = [withoutBlobs(concat(parts))];
			const response = await calls.fetch({
				method,
				url: moved && url.startsWith(moved.from) ? moved.to + url.slice(moved.from.length) : url,
				headers: Object.entries(headers),
				body: parts.length > 0 ? concat(parts) : null,
				purpose: 'git'
			});
			if (method === 'GET') moved = movedTo(url, response.url);
			if (method === 'GET') canFilter = (traffic?.withoutContents ?? false) && offersFilter(response.body);
			const isPack = method === 'POST' && response.status === 200;
			return {
				url: response.url,
				method,
				statusCode: response.status,
				statusMessage: response.statusText,
				headers: Object.fromEntries(response.headers),
				body: traffic && isPack ? aroundPack(once(response.body), traffic) : once(response.body)
			};
		}
	};
}

/** Base URL of a repository before and after a redirect of `info/refs`, which git itself follows in the same way. */
function movedTo(asked: string, answered: string): { from: string; to: string } | null {
	const end = asked.slice(asked.indexOf('/info/refs?') + 1);
	if (asked === answered || !asked.includes('/info/refs?') || !answered.endsWith(`/${end}`)) return null;
	return { from: asked.slice(0, -end.length), to: answered.slice(0, -end.length) };
}

/** Wraps a client so that packs are extracted from its responses. */
export function tapped(client: HttpClient, traffic: FetchTraffic): HttpClient {
	return {
		async request(request: GitHttpRequest): Promise<GitHttpResponse> {
			const response = await client.request(request);
			if (request.method !== 'POST' || !response.body) return response;
			return { ...response, body: aroundPack(response.body, traffic) };
		}
	};
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}

/** Yields the parts around the pack once it is complete: references are only moved to existing objects. */
async function* aroundPack(
	answer: AsyncIterableIterator<Uint8Array>,
	traffic: FetchTraffic
): AsyncGenerator<Uint8Array> {
	const rest: Uint8Array[] = [];
	for await (const part of withoutPack(answer, traffic)) rest.push(part);
	traffic.packEnded();
	yield concat(rest);
}
