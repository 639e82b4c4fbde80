import { expect, it, vi } from 'vitest';
import type { LocalWebSocket, WebSocketRequest } from '#environment/contract.ts';
import type { Site } from '#page/preview/served/answer.ts';
import { HotUpdates } from '#page/preview/served/hot-updates.ts';

/** A site that accepts every socket; the tests act as its server through the requests. */
function siteWithSockets(): { site: Site; requests: WebSocketRequest[] } {
	const requests: WebSocketRequest[] = [];
	const socket: LocalWebSocket = { protocol: '', send: () => {}, close: () => {} };
	const site: Site = {
		answer: () => Promise.reject(new Error('not asked here')),
		webSocket: async (request) => {
			requests.push(request);
			return socket;
		}
	};
	return { site, requests };
}
const connect = (site: Site, target: string, protocols: string[] = []) =>
	site.webSocket!({ target, protocols, headers: [], onMessage: () => {}, onEnd: () => {} });
const ENDED = { code: 1001, reason: '', isClean: true };

it.each([
	['/?token=x', ['vite-hmr']],
	['/_next/webpack-hmr', []],
	['/_bun/hmr', []],
	['/rsbuild-hmr?token=y', []],
	['/livereload', []]
])('knows the connection of a development server: %s %j', async (target, protocols) => {
	const hot = new HotUpdates();
	const { site, requests } = siteWithSockets();
	await connect(hot.watch(site), target, protocols);
	expect(hot.isConnected).toBe(true);
	requests[0]!.onEnd(ENDED);
	expect(hot.isConnected).toBe(false);
});

it.each([
	['/chat', []],
	['/?of=hmr', []],
	['/', ['vite-ping']]
])('leaves an application’s own connection alone: %s %j', async (target, protocols) => {
	const hot = new HotUpdates();
	await connect(hot.watch(siteWithSockets().site), target, protocols);
	expect(hot.isConnected).toBe(false);
});

it('stays connected while one of two connections is left', async () => {
	const hot = new HotUpdates();
	const { site, requests } = siteWithSockets();
	const watched = hot.watch(site);
	await connect(watched, '/', ['vite-hmr']);
	await connect(watched, '/', ['vite-hmr']);
	requests[0]!.onEnd(ENDED);
	expect(hot.isConnected).toBe(true);
});

it('counts no connection that ended before it was open', async () => {
	const hot = new HotUpdates();
	const site: Site = {
		answer: () => Promise.reject(new Error('not asked here')),
		webSocket: async ({ onEnd }) => {
			onEnd(ENDED);
			return { protocol: '', send: () => {}, close: () => {} };
		}
	};
	await connect(hot.watch(site), '/', ['vite-hmr']);
	expect(hot.isConnected).toBe(false);
});

it('waits for what the server sends, and no longer than it was told to', async () => {
	vi.useFakeTimers();
	try {
		const hot = new HotUpdates();
		const { site, requests } = siteWithSockets();
		await connect(hot.watch(site), '/', ['vite-hmr']);
		const settled: string[] = [];
		void hot.next(1_000).then(() => settled.push('told'));
		await vi.advanceTimersByTimeAsync(500);
		expect(settled).toEqual([]);
		requests[0]!.onMessage('{"type":"update"}');
		await vi.advanceTimersByTimeAsync(0);
		expect(settled).toEqual(['told']);
		void hot.next(1_000).then(() => settled.push('late'));
		await vi.advanceTimersByTimeAsync(1_000);
		expect(settled).toEqual(['told', 'late']);
	} finally {
		vi.useRealTimers();
	}
});
