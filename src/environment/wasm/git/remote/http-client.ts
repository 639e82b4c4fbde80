import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { concat } from '../bytes.ts';
import { offersFilter, withoutBlobs } from './blob-filter.ts';
import type { AsyncSyscalls } from '../../process/client.ts';

/**
 * Requests through the page: it asks whether the host may be reached and adds the token it keeps.
 *
 * @param withoutContents leaves out the contents of files where the server offers that (`filter blob:none`)
 */
export function pageHttp(calls: AsyncSyscalls, withoutContents = false): HttpClient {
	let canFilter = false;
	return {
		async request({ url, method = 'GET', headers = {}, body }: GitHttpRequest): Promise<GitHttpResponse> {
			let parts: Uint8Array[] = [];
			if (body) for await (const part of body) parts.push(part);
			if (canFilter && method === 'POST') parts = [withoutBlobs(concat(parts))];
			const response = await calls.fetch({
				method,
				url,
				headers: Object.entries(headers),
				body: parts.length > 0 ? concat(parts) : null,
				purpose: 'git'
			});
			if (method === 'GET') canFilter = withoutContents && offersFilter(response.body);
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
