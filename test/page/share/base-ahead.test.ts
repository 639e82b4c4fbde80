import { describe, expect, it, vi } from 'vitest';
import { BaseAhead } from '#page/share/base-ahead.ts';

const base = { url: 'https://github.com/a/b', commit: 'c'.repeat(40) };
const server = 'https://example.org';
const archive = `${server}/api/archive?url=${encodeURIComponent(base.url)}&ref=${base.commit}`;

/** A host whose response bodies are written by the test, and which counts requests. */
function hostOf() {
	const asked: { url: string; signal: AbortSignal | null; body: TransformStream<Uint8Array, Uint8Array> }[] = [];
	const send: typeof fetch = (input, init) => {
		const body = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 99 }, { highWaterMark: 99 });
		asked.push({ url: String(input), signal: init?.signal ?? null, body });
		return Promise.resolve(new Response(body.readable, { headers: { 'Content-Length': '4' } }));
	};
	return { asked, send };
}

const bytes = (...values: number[]) => new Uint8Array(values);
const read = async (response: Response) => [...new Uint8Array(await response.arrayBuffer())];

describe('the base of a share, ahead', () => {
	it('gives what arrived before and what arrives after it is asked for, from one request', async () => {
		const { asked, send } = hostOf();
		const ahead = new BaseAhead(base, server, send);
		const writer = asked[0]!.body.writable.getWriter();
		await writer.write(bytes(1, 2));
		const taking = ahead.fetch(archive);
		await writer.write(bytes(3));
		const response = await taking;
		await writer.write(bytes(4));
		await writer.close();
		expect(await read(response)).toEqual([1, 2, 3, 4]);
		expect(response.headers.get('Content-Length')).toBe('4');
		expect(asked.map(({ url }) => url)).toEqual([archive]);
	});

	it('asks for anything else, and for the base a second time, as the browser does', async () => {
		const { asked, send } = hostOf();
		const ahead = new BaseAhead(base, server, send);
		void asked[0]!.body.writable.close();
		await ahead.fetch(`${server}/api/config`);
		await ahead.fetch(archive);
		await ahead.fetch(archive);
		expect(asked.map(({ url }) => url)).toEqual([archive, `${server}/api/config`, archive]);
	});

	it('is asked for again where it broke off, was refused or is too much to keep', async () => {
		const broken = hostOf();
		const first = new BaseAhead(base, server, broken.send);
		const writer = broken.asked[0]!.body.writable.getWriter();
		await writer.write(bytes(1));
		await writer.abort('gone').catch(() => {});
		await first.fetch(archive);
		expect(broken.asked).toHaveLength(2);

		const refuse = vi.fn<typeof fetch>(() => Promise.resolve(new Response('no', { status: 404 })));
		const second = new BaseAhead(base, server, refuse);
		expect((await second.fetch(archive)).status).toBe(404);
		expect(refuse).toHaveBeenCalledTimes(2);

		const large = hostOf();
		const third = new BaseAhead(base, server, large.send, 3);
		const more = large.asked[0]!.body.writable.getWriter();
		await more.write(bytes(1, 2, 3, 4));
		await vi.waitFor(() => expect(large.asked[0]!.signal?.aborted).toBe(true));
		await third.fetch(archive);
		expect(large.asked).toHaveLength(2);
	});

	it('is given up when the user leaves', () => {
		const { asked, send } = hostOf();
		const ahead = new BaseAhead(base, server, send);
		ahead.leave();
		expect(asked[0]!.signal?.aborted).toBe(true);
	});
});
