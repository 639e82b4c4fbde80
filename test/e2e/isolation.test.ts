import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type World } from './world.ts';

let world: World;
let listener: Server;
let listenerUrl = '';
let hits: string[] = [];

beforeAll(async () => {
	listener = createServer((request, response) => {
		hits.push(`${request.method} ${request.url}`);
		response.writeHead(200, { 'Access-Control-Allow-Origin': '*' }).end('hit');
	});
	listener.on('connect', (request) => hits.push(`CONNECT ${request.url}`));
	listener.on('upgrade', (request, socket) => {
		hits.push(`UPGRADE ${request.url}`);
		socket.destroy();
	});
	await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
	listenerUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
	world = await openWorld();
});
afterAll(async () => {
	listener.close();
	await world.close();
});

/** Runs inside the sandbox, as any program there: tries every way out that a worker has, and storage. */
const ATTACK = `
const targets = process.argv.slice(2);
const tries = {};
const attempt = async (name, act) => { try { const value = await act(); tries[name] = 'ok ' + String(value).slice(0, 60); } catch (error) { tries[name] = 'refused'; } };
(async () => {
  const raw = globalThis;
  await attempt('indexedDB', () => new Promise((resolve, reject) => { const r = raw.indexedDB.open('sandglass'); r.onsuccess = () => resolve('open'); r.onerror = () => reject(r.error); }));
  await attempt('localStorage', () => raw.localStorage.length);
  await attempt('opfs', async () => { const d = await raw.navigator.storage.getDirectory(); return d.name; });
  await attempt('caches', () => raw.caches.keys());
  await attempt('cookieStore', () => raw.cookieStore.getAll());
  await attempt('BroadcastChannel', () => new raw.BroadcastChannel('sandglass-sessions').postMessage(1));
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

describe('code that runs in the sandbox', () => {
	it('reads nothing of the page and reaches no address but through the ledger, which refuses and writes it down', async () => {
		const { page } = await world.newProfile();
		await page.goto(world.url);
		await page.evaluate(() => localStorage.setItem('secret', 'of the page'));
		await page.evaluate((text) => window.sandglass!.importRepository({ files: { 'attack.cjs': text } }), ATTACK);
		hits = [];
		const answered = world.log.length;
		const result = await page.evaluate(
			(targets) => window.sandglass!.environment!.exec(`node attack.cjs ${targets.join(' ')}`, { timeoutMs: 60_000 }),
			[listenerUrl, world.url.replace(/\/$/, '')]
		);
		expect(result.stderr).toBe('');
		const tries = JSON.parse(result.stdout) as Record<string, string>;
		expect(Object.keys(tries)).toHaveLength(6 + 2 * 9);
		expect(Object.entries(tries).filter(([, outcome]) => outcome !== 'refused')).toEqual([]);
		expect(hits).toEqual([]);
		// Our own server answered for programs of the sandbox only (304: the browser had asked before), none of
		// which is missing.
		const served = world.log.slice(answered).map(({ method, route, status }) => `${method} ${route} ${status}`);
		expect(served.filter((line) => !['GET /* 200', 'GET /* 304'].includes(line))).toEqual([]);
	});
});
