import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commands } from 'vitest/browser';
import kernelUrl from '#computer/kernel/main.ts?program';
import { createWasmEnvironment, type WasmExecutionEnvironment } from '#computer/host/environment.ts';
import type { WireRequest } from '#computer/abi/syscalls.ts';
import evaluateUrl from './fixtures/evaluate.ts?program';

describe('isolation of a process in the frame', () => {
	let sandbox: WasmExecutionEnvironment;
	let asked: WireRequest[];
	beforeEach(() => {
		asked = [];
		sandbox = createWasmEnvironment({
			sandbox: {
				kernelUrl,
				programs: [{ name: 'evaluate', commands: ['bash'], hot: true, url: evaluateUrl }],
				assets: {}
			},
			egress: (request) => {
				asked.push(request);
				return Promise.resolve({
					status: 200,
					statusText: 'OK',
					headers: [],
					url: request.url,
					body: new TextEncoder().encode('through the ledger')
				});
			}
		});
	});
	afterEach(() => sandbox.cleanup());

	const evaluate = async (code: string): Promise<unknown> => {
		const { stdout, stderr } = await sandbox.exec(code, { timeoutMs: 50_000 });
		if (stdout === '') throw new Error(stderr);
		return JSON.parse(stdout);
	};

	it('has an origin of its own, shared memory, and no way to make workers by itself', async () => {
		expect(
			await evaluate(`return {
				origin: self.origin,
				memory: typeof SharedArrayBuffer,
				gone: ['Worker', 'SharedWorker', 'BroadcastChannel', 'caches', 'close', 'RTCPeerConnection', 'document']
					.filter((name) => name in self),
				uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-4/.test(crypto.randomUUID())
			}`)
		).toEqual({ origin: 'null', memory: 'function', gone: [], uuid: true });
	});

	it('cannot read what the page has stored', async () => {
		localStorage.setItem('secret', 'of the page');
		await new Promise<void>((resolve, reject) => {
			const request = indexedDB.open('page-database');
			request.onsuccess = () => resolve(request.result.close());
			request.onerror = () => reject(request.error ?? new Error('no database'));
		});
		const outcomes = await evaluate(`
			const attempt = async (run) => { try { return 'got ' + await run(); } catch (error) { return error.name; } };
			return {
				local: await attempt(() => localStorage.getItem('secret')),
				database: await attempt(() => new Promise((resolve, reject) => {
					const request = indexedDB.open('page-database');
					request.onsuccess = () => resolve('open');
					request.onerror = () => reject(request.error);
				})),
				databases: await attempt(async () => (await indexedDB.databases()).length),
				files: await attempt(() => navigator.storage.getDirectory()),
				cookie: await attempt(() => self.cookieStore ? cookieStore.getAll() : Promise.reject(new ReferenceError())),
			};`);
		for (const [way, outcome] of Object.entries(outcomes as Record<string, string>)) {
			expect(outcome, way).toMatch(/Error$/);
		}
	});

	it('reaches no server by itself, neither ours nor another', async () => {
		const other = await commands.startListener();
		const own = new URL(new URL(other).pathname, location.href).href;
		const outcomes = await evaluate(`
			const addresses = ${JSON.stringify([other, own])};
			const attempt = async (run) => { try { await run(); return 'reached'; } catch (error) { return 'refused'; } };
			const opened = (source, url) => new Promise((resolve, reject) => {
				source.onopen = resolve;
				source.onerror = () => reject(new Error('refused'));
			});
			const outcomes = [];
			for (const url of addresses) {
				outcomes.push(
					await attempt(() => fetch(url)),
					await attempt(() => fetch(url, { mode: 'no-cors', method: 'POST', body: 'x' })),
					await attempt(() => fetch(url, { keepalive: true, mode: 'no-cors' })),
					await attempt(() => importScripts(url)),
					await attempt(() => import(url)),
					await attempt(() => opened(new WebSocket(url.replace('http', 'ws')))),
					await attempt(() => opened(new EventSource(url))),
					await attempt(() => { const request = new XMLHttpRequest(); request.open('GET', url, false); request.send(); }),
				);
			}
			return outcomes;`);
		expect(outcomes).toEqual(Array.from({ length: 16 }, () => 'refused'));
		expect(await commands.listenerHits(other)).toEqual({ connections: 0, ownRequests: [] });
		// The listener does count: the page itself reaches both.
		await fetch(own);
		await fetch(other);
		const hits = await commands.listenerHits(other);
		expect(hits.connections).toBeGreaterThan(0);
		expect(hits.ownRequests).toHaveLength(1);
	});

	it('reaches the net through the ledger of the page, and only so', async () => {
		const text = await evaluate(`
			const response = context.sync.fetch({ method: 'GET', url: 'https://example.org/', headers: [], body: null, purpose: 'fetch' });
			return new TextDecoder().decode(response.body);`);
		expect(text).toBe('through the ledger');
		expect(asked).toMatchObject([{ method: 'GET', url: 'https://example.org/', purpose: 'fetch' }]);
	});

	it('cannot write outside its directories, nor through a link', async () => {
		const codes = await evaluate(`
			const attempt = (run) => { try { run(); return 'done'; } catch (error) { return error.code; } };
			const bytes = new Uint8Array(1);
			const { sync } = context;
			sync.symlink('/usr/bin', '/workspace/out');
			sync.symlink('../../etc/new', '/workspace/new');
			return [
				attempt(() => sync.writeFile('/usr/bin/bash', bytes)),
				attempt(() => sync.writeFile('/workspace/../etc/passwd', bytes)),
				attempt(() => sync.writeFile('/workspace/out/bash', bytes)),
				attempt(() => sync.writeFile('/workspace/new', bytes)),
				attempt(() => sync.remove('/workspace', { recursive: true })),
				attempt(() => sync.rename('/workspace/out/bash', '/workspace/bash')),
				attempt(() => sync.link('/usr/bin/bash', '/workspace/hard')),
				attempt(() => sync.unlink('/workspace/out')),
			];`);
		expect(codes).toEqual([...Array.from({ length: 7 }, () => 'EACCES'), 'done']);
	});

	it('gets no answer but an error to a call that is none', async () => {
		expect(
			await evaluate(`
				const attempt = (run) => { try { run(); return 'done'; } catch (error) { return error.code; } };
				const { sync } = context;
				return [
					attempt(() => sync.stat('relative')),
					attempt(() => sync.writeFile('/workspace/a', 'text')),
					attempt(() => sync.spawn({ argv: [], cwd: '/', env: {} })),
					attempt(() => sync.kill(1, 'SIGKILL')),
					attempt(() => sync.write(99, new Uint8Array(1))),
				];`)
		).toEqual(['EINVAL', 'EINVAL', 'EINVAL', 'ESRCH', 'EBADF']);
	});
});
