import { describe, expect, it, vi } from 'vitest';
import { AbortedError } from '#llm/errors.ts';
import { watchedFetch } from '#llm/watched-fetch.ts';
import { inTime } from '#test/in-time.ts';

const stopped = new AbortedError({ provider: 'openai' });
const bytes = (text: string) => new TextEncoder().encode(text);

/** Sends one request over this transport. */
function sending(fetch: typeof globalThis.fetch) {
	const controller = new AbortController();
	const watcher = { provider: 'openai', signal: controller.signal, onHeaders: vi.fn(), onBytes: vi.fn() };
	const send = () => inTime(watchedFetch(fetch, watcher)('https://model.example'), 'the response');
	return { send, watcher, stop: () => controller.abort(stopped) };
}
const answering = (response: Response) => sending(async () => response);
const failureOf = (response: Response) =>
	answering(response)
		.send()
		.catch((error: unknown) => error);

const chunkOf = (reader: ReadableStreamDefaultReader<Uint8Array> | undefined) =>
	inTime(Promise.resolve(reader?.read()), 'the next bytes');

/** A body whose start is sent by `start`, and which then stays open. */
function openBody(start: (controller: ReadableStreamDefaultController<Uint8Array>) => void = () => undefined) {
	const cancel = vi.fn();
	return { cancel, body: new ReadableStream<Uint8Array>({ start, cancel }) };
}

describe('a watched request', () => {
	it.each([
		[300, 'redirects'],
		[399, 'redirects'],
		[400, 'Nothing of the kind'],
		[500, 'Nothing of the kind']
	])('that is answered with %i fails with that status', async (status, words) => {
		const error = await failureOf(new Response('{"error":{"message":"Nothing of the kind"}}', { status }));
		expect(error).toMatchObject({ status, provider: 'openai', message: expect.stringContaining(words) });
	});

	it('knows a redirect of a browser, which has no status', async () => {
		const response = new Response(null);
		Object.defineProperties(response, { type: { value: 'opaqueredirect' }, status: { value: 0 } });
		const error = await failureOf(response);
		expect(error).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('redirects') });
		expect(error).toHaveProperty('status', undefined);
	});

	it.each([
		[{ 'retry-after': '7' }, '{}', 7_000],
		[{}, '{"error":{"details":[{"retryDelay":"31s"}]}}', 31_000],
		[{ 'retry-after': '7' }, '{"error":{"details":[{"retryDelay":"31s"}]}}', 7_000],
		[{}, '{}', undefined]
	])('says when to try again: %j %s', async (headers, body, retryAfterMs) => {
		expect(await failureOf(new Response(body, { status: 429, headers }))).toMatchObject({
			code: 'rate_limit',
			retryAfterMs
		});
	});

	it('fails as one that did not arrive where the transport fails', async () => {
		const cause = new TypeError('fetch failed');
		await expect(sending(() => Promise.reject(cause)).send()).rejects.toMatchObject({
			code: 'network',
			provider: 'openai',
			cause
		});
		const { body } = openBody((controller) => controller.error(new Error('lost')));
		expect(await failureOf(new Response(body, { status: 503 }))).toMatchObject({ code: 'server', body: '' });
	});

	it('ends with the reason of its signal, whatever the transport does', async () => {
		const hanging = sending(() => new Promise(() => {}));
		const sent = hanging.send();
		hanging.stop();
		await expect(sent).rejects.toBe(stopped);
		expect(hanging.watcher.onHeaders).not.toHaveBeenCalled();
		await expect(hanging.send()).rejects.toBe(stopped);

		const refused = answering(new Response(openBody().body, { status: 500 }));
		const failing = refused.send();
		await expect.poll(() => refused.watcher.onHeaders.mock.calls.length).toBe(1);
		refused.stop();
		await expect(failing).rejects.toBe(stopped);
	});

	it('listens to its signal no longer than it lasts', async () => {
		const { send, watcher } = answering(new Response(null));
		const added = vi.spyOn(watcher.signal, 'addEventListener');
		const removed = vi.spyOn(watcher.signal, 'removeEventListener');
		await send();
		await expect.poll(() => removed.mock.calls.length).toBe(added.mock.calls.length);
		expect(removed).toHaveBeenCalledWith('abort', added.mock.calls[0]?.[1]);
	});
});

describe('a watched body', () => {
	it('reports its bytes, and ends', async () => {
		const response = new Response('ab');
		const { body } = response;
		const { send, watcher } = answering(response);
		const reader = (await send()).body?.getReader();
		expect(await chunkOf(reader)).toEqual({ done: false, value: bytes('ab') });
		expect(watcher.onBytes).toHaveBeenCalledTimes(1);
		expect(await chunkOf(reader)).toEqual({ done: true, value: undefined });
		expect(body?.locked).toBe(true);
		reader?.releaseLock();
		expect(body?.locked).toBe(false);
	});

	it('is one that can be looped over, and let go of', async () => {
		const { body, cancel } = openBody((controller) => controller.enqueue(bytes('ab')));
		const watched = (await answering(new Response(body)).send()).body;
		const seen: unknown[] = [];
		for await (const chunk of watched as unknown as AsyncIterable<Uint8Array>) {
			seen.push(chunk);
			break;
		}
		expect(seen).toEqual([bytes('ab')]);
		expect(cancel).toHaveBeenCalledTimes(1);
		const whole = (await answering(new Response('ab')).send()).body;
		for await (const chunk of whole as unknown as AsyncIterable<Uint8Array>) seen.push(chunk);
		expect(seen).toEqual([bytes('ab'), bytes('ab')]);
	});

	it('can be read whole by the response itself', async () => {
		expect(await (await answering(new Response('ab')).send()).text()).toBe('ab');
		const response = await answering(new Response('ab')).send();
		expect(() => response.body?.getReader().releaseLock()).not.toThrow();
	});

	it('breaks off with a typed error where the transport fails', async () => {
		const cause = new Error('lost');
		const { body } = openBody((controller) => controller.error(cause));
		const response = await answering(new Response(body)).send();
		await expect(chunkOf(response.body?.getReader())).rejects.toMatchObject({
			code: 'stream',
			provider: 'openai',
			cause
		});
	});

	it('ends with the reason of its signal, and lets go of the transport', async () => {
		const { body, cancel } = openBody();
		const { send, stop } = answering(new Response(body));
		const reader = (await send()).body?.getReader();
		const reading = chunkOf(reader);
		stop();
		await expect(reading).rejects.toBe(stopped);
		await expect(chunkOf(reader)).rejects.toBe(stopped);
		expect(cancel).toHaveBeenCalledExactlyOnceWith(stopped);

		const unread = openBody();
		const before = answering(new Response(unread.body));
		await before.send();
		before.stop();
		expect(unread.cancel).toHaveBeenCalledExactlyOnceWith(stopped);
	});
});
