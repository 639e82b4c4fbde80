import { afterEach, describe, expect, it, vi } from 'vitest';
import { commands } from 'vitest/browser';
import kernelUrl from '#computer/kernel/main.ts?program';
import { createWasmEnvironment, type WasmExecutionEnvironment } from '#computer/host/environment.ts';
import rawUrl from './fixtures/raw.ts?program';
import type { SourceDefenceName } from './without.ts';

let sandbox: WasmExecutionEnvironment | undefined;
afterEach(async () => {
	vi.restoreAllMocks();
	await sandbox?.cleanup();
	sandbox = undefined;
});

/** Result of the attack: in the sandbox as it is, or with one defense removed. */
async function attack(code: string, without: { source?: SourceDefenceName; frame?: string } = {}): Promise<unknown> {
	await sandbox?.cleanup();
	const changed = without.source && textUrl(await commands.buildWithout(without.source));
	const isKernel = without.source !== 'native-globals';
	sandbox = createWasmEnvironment({
		sandbox: {
			kernelUrl: changed && isKernel ? changed : kernelUrl,
			programs: [{ name: 'raw', commands: ['bash'], hot: true, url: changed && !isKernel ? changed : rawUrl }],
			assets: {}
		},
		frameUrl: without.frame ? `/runner-without/${without.frame}` : undefined
	});
	const { stdout, stderr } = await sandbox.exec(code, { timeoutMs: 50_000 });
	if (stdout === '') throw new Error(stderr);
	return JSON.parse(stdout);
}

const textUrl = (text: string) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));

const ATTEMPT = `const attempt = async (run) => { try { await run(); return 'arrived'; } catch (error) { return 'refused'; } };
const opened = (source) => new Promise((resolve, reject) => { source.onopen = resolve; source.onerror = () => reject(new Error('refused')); });
const code = (run) => { try { run(); return 'done'; } catch (error) { return error.code; } };
const { sync } = context;
const bytes = new TextEncoder().encode('x');
`;

const requests: Record<string, string> = {
	fetch: 'fetch(url)',
	'a POST without CORS': `fetch(url, { mode: 'no-cors', method: 'POST', body: 'x' })`,
	'a request that outlives its sender': `fetch(url, { keepalive: true, mode: 'no-cors' })`,
	XMLHttpRequest: `{ const request = new XMLHttpRequest(); request.open('GET', url, false); request.send(); }`,
	WebSocket: `await opened(new WebSocket(url.replace('http', 'ws')))`,
	EventSource: `await opened(new EventSource(url))`
};
const scripts: Record<string, string> = { importScripts: 'importScripts(url)', 'import()': 'await import(url)' };

describe.each([
	{ frame: 'requests', ways: requests },
	{ frame: 'scripts', ways: scripts }
])('the frame’s policy against $frame', ({ frame, ways }) => {
	it.each(Object.keys(ways))('stops %s, which arrives without it', async (way) => {
		const other = await commands.startListener();
		const own = new URL(new URL(other).pathname, location.href).href;
		const run = `${ATTEMPT} const outcomes = [];
			for (const url of ${JSON.stringify([other, own])}) outcomes.push(await attempt(async () => { await ${awaited(ways[way] ?? '')} }));
			return outcomes;`;
		expect(await attack(run)).toEqual(['refused', 'refused']);
		expect(await commands.listenerHits(other)).toEqual({ connections: 0, ownRequests: [] });
		await attack(run, { frame });
		const hits = await commands.listenerHits(other);
		expect(hits.connections).toBeGreaterThan(0);
		expect(hits.ownRequests).not.toEqual([]);
	});
});

/** Turns a statement or an expression into something to await. */
const awaited = (way: string) => (way.startsWith('{') ? `(async () => ${way})()` : way.replace(/^await /, ''));

it('its own origin keeps the page’s stores closed, which open without it', async () => {
	localStorage.setItem('secret', 'of the page');
	const run = `${ATTEMPT} return {
		origin: self.origin,
		database: await attempt(() => new Promise((resolve, reject) => {
			const request = indexedDB.open('page-database');
			request.onsuccess = () => resolve(request.result.close());
			request.onerror = () => reject(request.error);
		})),
		files: await attempt(() => navigator.storage.getDirectory()),
		page: await attempt(() => fetch(${JSON.stringify(location.origin)} + '/sandbox-must-not-reach', { credentials: 'include' }))
	};`;
	expect(await attack(run)).toEqual({ origin: 'null', database: 'refused', files: 'refused', page: 'refused' });
	const setAttribute = Element.prototype.setAttribute;
	vi.spyOn(HTMLIFrameElement.prototype, 'setAttribute').mockImplementation(function (
		this: HTMLIFrameElement,
		name: string,
		value: string
	) {
		if (name !== 'sandbox') setAttribute.call(this, name, value);
	});
	const without = await attack(run, { frame: 'origin' });
	expect(without).toEqual({ origin: location.origin, database: 'arrived', files: 'arrived', page: 'arrived' });
});

describe.each<{ source: SourceDefenceName; title: string; run: string; refused: unknown; arrived: unknown }>([
	{
		source: 'native-globals',
		title: 'a worker outside the process table and a channel to other frames',
		run: `const Native = self.Worker;
			if (!Native || !self.BroadcastChannel) return 'none';
			const url = URL.createObjectURL(new Blob(['postMessage("ran")']));
			return new Promise((resolve) => { new Native(url).onmessage = ({ data }) => resolve(data); });`,
		refused: 'none',
		arrived: 'ran'
	},
	{
		source: 'writable-roots',
		title: 'a write to the programs of the sandbox',
		run: `return code(() => sync.writeFile('/usr/bin/bash', bytes));`,
		refused: 'EACCES',
		arrived: 'done'
	},
	{
		source: 'links-resolved',
		title: 'a write through a symbolic link',
		run: `sync.symlink('/usr/bin', '/workspace/out'); sync.symlink('../../etc/new', '/workspace/new');
			return [code(() => sync.writeFile('/workspace/out/bash', bytes)), code(() => sync.writeFile('/workspace/new', bytes))];`,
		refused: ['EACCES', 'EACCES'],
		arrived: ['done', 'done']
	},
	{
		source: 'argument-checks',
		title: 'a call with arguments of another kind',
		run: `code(() => sync.symlink('/workspace', '/workspace/with\\0nul'));
			return sync.readdir('/workspace').length;`,
		refused: 0,
		arrived: 1
	},
	{
		source: 'call-names',
		title: 'a call by the name of something every object has',
		run: `const { port } = start;
			const ids = [];
			port.addEventListener('message', ({ data }) => ids.push(data.id));
			for (const [id, name] of ['constructor', 'toString', '__proto__', 'hasOwnProperty'].entries()) {
				port.postMessage({ kind: 'async', id: 1000 + id, name, args: [] });
			}
			port.postMessage({ kind: 'async', id: 2000, name: 'now', args: [] });
			while (!ids.includes(2000)) await new Promise((resolve) => setTimeout(resolve, 5));
			return ids.filter((id) => id >= 1000).length;`,
		refused: 1,
		arrived: 5
	}
])('$source', ({ source, title, run, refused, arrived }) => {
	it(`stops ${title}, which arrives without it`, async () => {
		expect(await attack(ATTEMPT + run)).toEqual(refused);
		expect(await attack(ATTEMPT + run, { source })).toEqual(arrived);
	});
});

it('a message cannot change what the kernel’s own objects inherit', async () => {
	const seen = await attack(`${ATTEMPT}
		const poison = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
		const { port } = start;
		for (const message of [poison, { kind: 'async', id: 9, name: 'writeFile', args: ['/workspace/a', bytes, poison] },
			{ kind: 'async', id: 9, name: 'spawn', args: [{ argv: ['bash', '-c', 'return 1'], cwd: '/', env: poison }] },
			{ kind: 'async', id: 9, name: 'mkdir', args: ['/workspace/d', poison] }, { kind: 'log', version: 1, calls: [poison] }]) {
			port.postMessage(message);
		}
		const later = await context.async.stat('/workspace');
		return [later.polluted ?? 'clean', Object.keys(await context.async.readdir('/workspace')[0] ?? {}).includes('polluted')];`);
	expect(seen).toEqual(['clean', false]);
});
