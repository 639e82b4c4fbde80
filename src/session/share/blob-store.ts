import { z } from 'zod';
import { ShareError } from './errors.ts';

const created = z.object({ id: z.string(), deleteToken: z.string(), expiresAt: z.union([z.string(), z.number()]) });

export interface StoredShare {
	id: string;
	deleteToken: string;
	/** Milliseconds since the epoch. */
	expiresAt: number;
}

/** The server's store of encrypted blobs. */
export class ShareBlobStore {
	readonly #url: string;
	readonly #fetch: typeof fetch;

	/**
	 * Creates a client of the store.
	 * @param siteUrl address of the page, ending in `/`
	 * @param fetcher replaces `fetch` in tests
	 */
	constructor(siteUrl: string, fetcher: typeof fetch = (...args) => fetch(...args)) {
		this.#url = new URL('api/shares', siteUrl).href;
		this.#fetch = fetcher;
	}

	async put(sealed: Uint8Array, expiresSeconds?: number): Promise<StoredShare> {
		const query = expiresSeconds === undefined ? '' : `?expires=${expiresSeconds}`;
		const response = await this.#request(this.#url + query, {
			method: 'PUT',
			body: sealed.slice(),
			headers: { 'Content-Type': 'application/octet-stream' }
		});
		if (response.status === 413) throw new ShareError('too_large');
		if (response.status === 404 || response.status === 405) throw new ShareError('no_server');
		if (!response.ok) throw new ShareError('server_error', `status ${response.status}`);
		const reply = created.safeParse(await response.json().catch(() => null));
		if (!reply.success) throw new ShareError('no_server', 'not an answer of the share store');
		return { ...reply.data, expiresAt: new Date(reply.data.expiresAt).getTime() };
	}

	async get(id: string): Promise<Uint8Array> {
		const response = await this.#request(`${this.#url}/${id}`, {});
		if (response.status === 404 || response.status === 410) throw new ShareError('not_found');
		if (!response.ok) throw new ShareError('server_error', `status ${response.status}`);
		return new Uint8Array(await response.arrayBuffer());
	}

	async delete(share: Pick<StoredShare, 'id' | 'deleteToken'>): Promise<void> {
		const response = await this.#request(`${this.#url}/${share.id}`, {
			method: 'DELETE',
			headers: { 'X-Delete-Token': share.deleteToken }
		});
		if (!response.ok && response.status !== 404) throw new ShareError('server_error', `status ${response.status}`);
	}

	async #request(url: string, init: RequestInit): Promise<Response> {
		try {
			return await this.#fetch(url, init);
		} catch (error) {
			throw new ShareError('offline', String(error));
		}
	}
}
