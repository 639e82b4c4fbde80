import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { concat } from '../bytes.ts';
import type { AsyncSyscalls } from '../../process/client.ts';

/** Requests through the page: it asks whether the host may be reached and adds the token it keeps. */
export function pageHttp(calls: AsyncSyscalls): HttpClient {
	return {
		async request({ url, method = 'GET', headers = {}, body }: GitHttpRequest): Promise<GitHttpResponse> {
			const parts: Uint8Array[] = [];
			if (body) for await (const part of body) parts.push(part);
			const response = await calls.fetch({
				method,
				url,
				headers: Object.entries(headers),
				body: parts.length > 0 ? concat(parts) : null,
				purpose: 'git'
			});
			async function* once() {
				yield response.body;
			}
			return {
				url: response.url,
				method,
				statusCode: response.status,
				statusMessage: response.statusText,
				headers: Object.fromEntries(response.headers),
				body: once()
			};
		}
	};
}
