import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ShareBlobStore } from '#session/share/blob-store.ts';

const SHARE = { id: 'abc', deleteToken: 'token' };

/** The store of a server with this answer, and the requests it received. */
function storeThat(answer: () => Response | Promise<Response>) {
	const asked = vi.fn(async (_url: string, _init: RequestInit) => answer());
	return { store: new ShareBlobStore('https://s.example/app/', asked as unknown as typeof fetch), asked };
}
const ofStatus = (status: number) => storeThat(() => new Response(status === 204 ? null : '{}', { status })).store;

describe('the store of shares', () => {
	it('takes a sealed share, and says where it is and until when', async () => {
		const { store, asked } = storeThat(() =>
			Response.json({ ...SHARE, expiresAt: '2027-01-02T03:04:05.000Z', more: 'is dropped' })
		);
		expect(await store.put(new Uint8Array([1, 2, 3]), 3_600)).toEqual({ ...SHARE, expiresAt: 1_798_859_045_000 });
		const [url, init] = asked.mock.calls[0] ?? [];
		expect(url).toBe('https://s.example/app/api/shares?expires=3600');
		expect(init).toEqual({
			method: 'PUT',
			body: new Uint8Array([1, 2, 3]),
			headers: { 'Content-Type': 'application/octet-stream' }
		});
	});

	it('asks for no end where none is given, and takes a time in milliseconds', async () => {
		const { store, asked } = storeThat(() => Response.json({ ...SHARE, expiresAt: 1_000 }));
		expect((await store.put(new Uint8Array())).expiresAt).toBe(1_000);
		expect(asked.mock.calls[0]?.[0]).toBe('https://s.example/app/api/shares');
	});

	it('gives the bytes of a share by its id', async () => {
		const { store, asked } = storeThat(() => new Response(new Uint8Array([4, 5])));
		expect(await store.get('abc')).toEqual(new Uint8Array([4, 5]));
		expect(asked.mock.calls).toEqual([['https://s.example/app/api/shares/abc', {}]]);
	});

	it('is asked over the network of the page', async () => {
		const network = vi.fn(async (_url: string) => new Response(new Uint8Array([6])));
		vi.stubGlobal('fetch', network);
		onTestFinished(() => void vi.unstubAllGlobals());
		expect(await new ShareBlobStore('https://s.example/').get('abc')).toEqual(new Uint8Array([6]));
		expect(network.mock.calls[0]?.[0]).toBe('https://s.example/api/shares/abc');
	});

	it('deletes with the token of who made it, and has nothing against one that is gone', async () => {
		const { store, asked } = storeThat(() => new Response(null, { status: 204 }));
		await store.delete(SHARE);
		expect(asked.mock.calls).toEqual([
			['https://s.example/app/api/shares/abc', { method: 'DELETE', headers: { 'X-Delete-Token': 'token' } }]
		]);
		await ofStatus(404).delete(SHARE);
	});
});

describe('a store that refuses', () => {
	it.each([
		[413, 'too_large', undefined],
		[404, 'no_server', undefined],
		[405, 'no_server', undefined],
		[500, 'server_error', 'status 500'],
		[403, 'server_error', 'status 403']
	])('a share with %i says %s', async (status, code, detail) => {
		await expect(ofStatus(status).put(new Uint8Array())).rejects.toMatchObject({ name: 'ShareError', code, detail });
	});

	it.each([
		[404, 'not_found', undefined],
		[410, 'not_found', undefined],
		[503, 'server_error', 'status 503']
	])('to give one with %i says %s', async (status, code, detail) => {
		await expect(ofStatus(status).get('abc')).rejects.toMatchObject({ code, detail });
	});

	it('to delete says so, with the status', async () => {
		await expect(ofStatus(403).delete(SHARE)).rejects.toMatchObject({ code: 'server_error', detail: 'status 403' });
	});

	it('is none where its answer is that of a site without a server', async () => {
		const detail = 'not an answer of the share store';
		for (const answer of ['<!doctype html>', '{}', '{"id":"abc","deleteToken":1,"expiresAt":1}', '{"id":1}'])
			await expect(storeThat(() => new Response(answer)).store.put(new Uint8Array())).rejects.toMatchObject({
				code: 'no_server',
				detail
			});
	});

	it('is offline where the network fails', async () => {
		const { store } = storeThat(() => Promise.reject(new TypeError('fetch failed')));
		for (const asking of [store.put(new Uint8Array()), store.get('abc'), store.delete(SHARE)])
			await expect(asking).rejects.toMatchObject({ code: 'offline', detail: 'TypeError: fetch failed' });
	});
});
