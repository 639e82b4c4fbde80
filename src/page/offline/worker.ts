import { cached, keep, keyOf, prune } from './page-cache.ts';
import type { OfflineIdentity, OfflineList, OfflineProgress, OfflineRequest } from './list.ts';

/**
 * The page's service worker: once opened online, the product opens offline too.
 *
 * It answers only for the page, its hashed assets and the sample project: `/api` always goes to the server, and the
 * sandbox frame has an opaque origin, hence no service worker; the browser's HTTP cache has it.
 */

/** Prepended to this script by the build. */
declare const OFFLINE: OfflineList;

/** Part of a service worker's globals that is used here; the project's types are those of pages. */
interface Scope {
	skipWaiting(): Promise<void>;
	clients: { claim(): Promise<void> };
	addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
	addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
	addEventListener(type: 'message', listener: (event: Lasting & MessageEvent<OfflineRequest>) => void): void;
}
interface Lasting {
	waitUntil(work: Promise<unknown>): void;
}
interface Fetching {
	request: Request;
	respondWith(response: Promise<Response>): void;
}

/** Time to wait for the server's answer before showing the cached page. */
const PATIENCE_MS = 4_000;

const scope = self as unknown as Scope;
const files = new Set([...OFFLINE.core, ...OFFLINE.large]);
/** Serializes requests of several tabs, so that nothing is fetched twice. */
let filling: Promise<void> = Promise.resolve();
const key = (address: string): string => keyOf(address, OFFLINE.build);

scope.addEventListener('install', (event) => event.waitUntil(install()));
scope.addEventListener('activate', (event) =>
	event.waitUntil(Promise.all([scope.clients.claim(), prune([...files].map(key), OFFLINE.build)]))
);
scope.addEventListener('fetch', (event) => {
	const { request } = event;
	const { origin, pathname } = new URL(request.url);
	if (request.method !== 'GET' || origin !== location.origin) return;
	if (pathname.startsWith('/assets/')) event.respondWith(keptFirst(request, pathname));
	else if (files.has(pathname)) event.respondWith(serverFirst(request, pathname));
});
scope.addEventListener('message', (event) => {
	const [port] = event.ports;
	if (!port) return;
	if (event.data === 'which') {
		port.postMessage({ build: OFFLINE.build, runner: OFFLINE.runner } satisfies OfflineIdentity);
	} else if (event.data === 'fill') {
		filling = filling.then(() => fill((progress) => port.postMessage(progress)));
		event.waitUntil(filling);
	}
});

/**
 * Installs this build. Open tabs of an earlier build continue: their files are retained until the build after this one.
 */
async function install(): Promise<void> {
	await Promise.all(OFFLINE.core.map((address) => keep(address, key(address))));
	const page = await (await cached(key('/')))?.text();
	const named = [...(page ?? '').matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, address]) => address ?? '');
	// The server has a different build meanwhile; that build's worker will be installed next.
	if (!named.every((address) => files.has(address))) throw new Error('The page is of another build than this worker.');
	await scope.skipWaiting();
}

/** Caches the large files one after another, since nothing waits for them. Never rejects. */
async function fill(tell: (progress: OfflineProgress) => void): Promise<void> {
	const all = OFFLINE.large.length;
	let kept = 0;
	for (const address of OFFLINE.large) {
		tell({ kept, all, failed: false });
		try {
			await keep(address, key(address));
		} catch {
			// No network, or no storage left: retried on the next visit; the page reports that some files are missing.
			return tell({ kept, all, failed: true });
		}
		kept += 1;
	}
	tell({ kept, all, failed: false });
}

/** Returns the cached file first: files named by content hash cannot be stale. */
async function keptFirst(request: Request, address: string): Promise<Response> {
	return (await cached(address)) ?? fetch(request);
}

/** Returns the server's current page; the cached one if the server is silent, slow or broken. */
async function serverFirst(request: Request, address: string): Promise<Response> {
	const answer = fetch(request).then((response) => (response.status >= 500 ? null : response));
	const late = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null));
	const first = await Promise.race([answer.catch(() => null), late]);
	return first ?? (await cached(key(address))) ?? (await answer) ?? Response.error();
}
