import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import { nodeInPage } from './node-in-page.ts';

let sandbox: WasmExecutionEnvironment;
beforeAll(async () => {
	sandbox = await nodeInPage();
});
afterAll(() => sandbox.cleanup());

const run = async (files: Record<string, string>, command = 'node main.js') => {
	for (const [name, text] of Object.entries(files)) await sandbox.writeFile(`/workspace/${name}`, text);
	return sandbox.exec(command, { timeoutMs: 50_000 });
};

describe('worker_threads', () => {
	it('preloads in each thread what the program preloads: of its flags, of NODE_OPTIONS, and of its own', async () => {
		const files = {
			'flag.cjs': 'globalThis.loaded = [...(globalThis.loaded ?? []), "flag"];',
			'ambient.cjs': 'globalThis.loaded = [...(globalThis.loaded ?? []), "ambient"];',
			'late.mjs': 'await null; globalThis.loaded = [...(globalThis.loaded ?? []), "late"];',
			'thread.js': 'console.log(globalThis.loaded?.join());',
			'main.js': `const { Worker } = require('worker_threads');
				const after = (file, options, next) => new Worker(file, options).on('exit', next);
				after('./thread.js', {}, () =>
					after('console.log("text", globalThis.loaded?.join())', { eval: true }, () =>
						after('./thread.js', { execArgv: ['--import', './late.mjs'] }, () => {})));`
		};
		const result = await run(files, 'NODE_OPTIONS="--require ./ambient.cjs" node -r ./flag.cjs main.js');
		expect(result.stderr).toBe('');
		expect(result.stdout).toBe('ambient,flag\ntext ambient,flag\nambient,late\n');
	});

	it('clones an event as the plain object that it is in Node, in messages too', async () => {
		const result = await run({
			'main.js': `
				const { Worker } = require('worker_threads');
				const event = Object.assign(new MessageEvent('message', { data: 1 }), { detail: [1], self: null });
				event.self = event;
				const list = [event, , new Map([['key', new Set([new Event('x')])]])];
				const cloned = structuredClone(list);
				console.log(cloned[0].self === cloned[0], cloned);
				for (const refused of [new URL('http://a/'), { url: new URL('http://a/'), event }, () => {}])
					try { structuredClone(refused); } catch (error) { console.log(error.name); }
				try { structuredClone(); } catch (error) { console.log(error.name, structuredClone.length); }
				const code = "const { parentPort } = require('worker_threads'); parentPort.once('message', (m) => parentPort.postMessage(m))";
				new Worker(code, { eval: true }).on('message', (value) => console.log(value)).postMessage({ event });`
		});
		expect(result).toMatchObject({ stderr: '', exitCode: 0 });
		expect(result.stdout.split('\n')).toEqual([
			'true [',
			'  <ref *1> { detail: [ 1 ], self: [Circular *1] },',
			'  <1 empty item>,',
			"  Map(1) { 'key' => Set(1) { {} } }",
			']',
			...['DataCloneError', 'DataCloneError', 'DataCloneError', 'TypeError 1'],
			'{ event: <ref *1> { detail: [ 1 ], self: [Circular *1] } }',
			''
		]);
	});

	it('exchanges messages, shares memory and transfers ports', async () => {
		const result = await run({
			'main.js': `
				const { Worker, isMainThread, threadId, MessageChannel } = require('worker_threads');
				const shared = new Int32Array(new SharedArrayBuffer(4));
				const { port1, port2 } = new MessageChannel();
				const worker = new Worker('./thread.js', { workerData: { shared, port: port2, list: new Map([[1, 2n]]) }, transferList: [port2], argv: ['x'] });
				console.log(isMainThread, threadId, worker.threadId > 0);
				worker.on('online', () => console.log('online'));
				worker.on('message', (value) => { console.log('main got', value, shared[0]); if (value === 'sum 3') worker.postMessage('stop'); });
				port1.on('message', (value) => { console.log('port got', value); port1.close(); worker.postMessage([1, 2]); });
				worker.on('exit', (code) => console.log('exit', code, worker.threadId));`,
			'thread.js': `
				const { parentPort, workerData, isMainThread, threadId } = require('node:worker_threads');
				Atomics.store(workerData.shared, 0, 7);
				workerData.port.postMessage([isMainThread, workerData.list.get(1), process.argv.slice(2), require('path').basename(__filename)]);
				workerData.port.close();
				parentPort.on('message', (value) => {
					if (value === 'stop') parentPort.close();
					else parentPort.postMessage('sum ' + value.reduce((a, b) => a + b));
				});`
		});
		expect(result.stderr).toBe('');
		expect(result.stdout.split('\n')).toEqual([
			'true 0 true',
			'online',
			"port got [ false, 2n, [ 'x' ], 'thread.js' ]",
			'main got sum 3 7',
			'exit 0 -1',
			''
		]);
	});

	it('reports errors, exit codes and termination, and reads a thread’s output', async () => {
		const result = await run({
			'main.js': `
				const { Worker } = require('worker_threads');
				const ended = (worker) => new Promise((resolve) => worker.on('exit', resolve));
				(async () => {
					const failing = new Worker('throw new TypeError("no")', { eval: true });
					failing.on('error', (error) => console.log(error instanceof Error, error.name, error.message));
					console.log(await ended(failing));
					const exiting = new Worker('process.exit(5)', { eval: true });
					console.log(await ended(exiting));
					const endless = new Worker('for (;;);', { eval: true });
					endless.on('online', async () => console.log('terminated', await endless.terminate()));
					await ended(endless);
					const talking = new Worker('console.log("from the thread"); process.stdin.pipe(process.stdout)', { eval: true, stdout: true, stdin: true });
					talking.stdin.end('and back');
					let text = '';
					talking.stdout.on('data', (chunk) => (text += chunk));
					await ended(talking);
					console.log(JSON.stringify(text));
					for (const file of ['bare', 'file:///a.js', new URL('file://host/a.js'), new URL('file:///a%2Fb.js'), 5])
						try { new Worker(file) } catch (error) { console.log(error.code) }
				})();`
		});
		expect(result.stderr).toBe('');
		expect(result.stdout.split('\n')).toEqual([
			'true TypeError no',
			'1',
			'5',
			'terminated 1',
			'"from the thread\\nand back"',
			'ERR_WORKER_PATH',
			'ERR_WORKER_PATH',
			'ERR_INVALID_FILE_URL_HOST',
			'ERR_INVALID_FILE_URL_PATH',
			'ERR_INVALID_ARG_TYPE',
			''
		]);
	});

	it('begins while its parent waits, and shares a WebAssembly module and its memory', async () => {
		const result = await run({
			'main.js': `
				const { Worker } = require('worker_threads');
				// (import "m" "m" (memory 1 2 shared)) (export "set": i32.atomic.store at 0, memory.atomic.notify at 0)
				const wasm = new WebAssembly.Module(Uint8Array.from([
					0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 1, 127, 0, 2, 9, 1, 1, 109, 1, 109, 2, 3, 1, 2, 3, 2, 1, 0, 7, 7, 1, 3, 115, 101, 116, 0, 0,
					10, 21, 1, 19, 0, 65, 0, 32, 0, 254, 23, 2, 0, 65, 0, 65, 1, 254, 0, 2, 0, 26, 11
				]));
				const memory = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true });
				const thread = new Worker('./thread.mjs');
				thread.postMessage({ wasm, memory });
				const word = new Int32Array(memory.buffer);
				console.log(Atomics.wait(word, 0, 0, 30_000), word[0]);
				thread.on('message', (value) => { console.log(value); thread.unref(); });`,
			'thread.mjs': `
				import { parentPort } from 'node:worker_threads';
				parentPort.once('message', ({ wasm, memory }) => {
					new WebAssembly.Instance(wasm, { m: { m: memory } }).exports.set(42);
					parentPort.postMessage('done');
					Atomics.wait(new Int32Array(memory.buffer), 1, 0);
				});`
		});
		expect(result).toMatchObject({ stdout: 'ok 42\ndone\n', stderr: '', exitCode: 0 });
		// It waited forever, and ended with its program.
		await expect.poll(async () => (await sandbox.exec('ps')).stdout).not.toContain('thread');
	});

	it('receives on a port without an event loop what a thread sent, and what is left with one', async () => {
		const result = await run({
			'main.js': `
				const { Worker, MessageChannel, receiveMessageOnPort } = require('worker_threads');
				const word = new Int32Array(new SharedArrayBuffer(4));
				const { port1, port2 } = new MessageChannel();
				const worker = new Worker('./thread.js', { workerData: { word, port: port2 }, transferList: [port2] });
				console.log(receiveMessageOnPort(port1));
				worker.postMessage({ id: 1, word, text: 'x'.repeat(300_000) });
				console.log(Atomics.wait(word, 0, 0, 30_000));
				const { message } = receiveMessageOnPort(port1);
				console.log(message.id, message.result.length, message.map.get('a'), message.error instanceof TypeError, message.bytes);
				console.log(receiveMessageOnPort(port1).message, receiveMessageOnPort(port1));
				// Of one call, as packages have it that make a function synchronous.
				const { port1: local, port2: theirs } = new MessageChannel();
				worker.postMessage({ word, port: theirs }, [theirs]);
				Atomics.wait(word, 0, 1, 30_000);
				console.log(receiveMessageOnPort(local));
				try { receiveMessageOnPort({}) } catch (error) { console.log(error.code) }
				port1.on('message', (value) => { console.log('later', value); if (value === 'end') { port1.close(); worker.terminate(); } });
				port1.postMessage('go on');`,
			'thread.js': `
				const { parentPort, workerData: { port } } = require('worker_threads');
				const wake = (word) => { Atomics.add(word, 0, 1); Atomics.notify(word, 0); };
				parentPort.on('message', ({ id, word, text, port: other }) => {
					if (other) {
						other.postMessage(['answer']);
						other.close();
					} else {
						port.postMessage({ id, result: text, map: new Map([['a', 1n]]), error: new TypeError('no'), bytes: Uint8Array.of(1, 2) });
						port.postMessage('second');
					}
					wake(word);
				});
				port.on('message', (value) => {
					port.postMessage(value + ': third');
					port.postMessage(new SharedArrayBuffer(2));
					try { port.postMessage(() => 1) } catch (error) { port.postMessage(error.name) }
					port.postMessage('end');
				});`
		});
		expect(result.stderr).toBe('');
		expect(result.stdout.split('\n')).toEqual([
			'undefined',
			'ok',
			'1 300000 1n true Uint8Array(2) [ 1, 2 ]',
			'second undefined',
			"{ message: [ 'answer' ] }",
			'ERR_INVALID_ARG_TYPE',
			'later go on: third',
			expect.stringContaining('later SharedArrayBuffer'),
			'later DataCloneError',
			'later end',
			''
		]);
	});

	it('is kept alive until the last listener of a port is gone: heard once, or removed', async () => {
		const result = await run({
			'main.js': `
				const { Worker } = require('worker_threads');
				const thread = (code) => new Worker("const { parentPort: port } = require('worker_threads');" + code, { eval: true });
				const tell = (name, worker) => worker.on('exit', (code) => console.log(name, 'exit', code));
				tell('once', thread("port.once('message', (m) => port.postMessage(m))"))
					.on('message', (value) => console.log('once', value)).postMessage(1);
				tell('off', thread("const f = () => {}; port.once('message', f); port.off('message', f)"));
				const again = tell('ref', thread("port.once('message', () => { port.ref(); port.once('message', () => port.unref()) })"));
				again.postMessage(1);
				setTimeout(() => again.postMessage(2), 50);`
		});
		expect(result).toMatchObject({ stderr: '', exitCode: 0 });
		expect(result.stdout.trim().split('\n').sort()).toEqual(['off exit 0', 'once 1', 'once exit 0', 'ref exit 0']);
	});

	it('is kept alive by a port with a reference, until the reference is dropped', async () => {
		const result = await run({
			'main.js': `
				const { MessageChannel } = require('worker_threads');
				const { port1 } = new MessageChannel();
				port1.ref();
				process.once('beforeExit', () => console.log('idle', port1.hasRef()));
				setTimeout(() => { console.log('late', port1.hasRef()); port1.unref(); }, 20).unref();`
		});
		expect(result.stdout).toBe('late true\nidle false\n');
	});

	it('hears what other threads broadcast under a name, its siblings too', async () => {
		const result = await run({
			'main.js': `
				const { Worker, isMainThread, threadId, BroadcastChannel } = require('worker_threads');
				const channel = new BroadcastChannel('news');
				if (isMainThread) {
					const heard = [];
					channel.onmessage = ({ data }) => {
						heard.push(data);
						if (heard.length === 2) channel.postMessage('go');
						if (heard.length < 6) return;
						console.log(heard.sort().join());
						channel.postMessage('end');
						channel.close();
					};
					for (let count = 0; count < 2; count++)
						new Worker(__filename).on('exit', (code) => console.log('exit', code));
				} else {
					channel.onmessage = ({ data }) => {
						if (data === 'go') channel.postMessage('from ' + threadId);
						else if (data.startsWith('from')) channel.postMessage('heard ' + data);
						else if (data === 'end') channel.close();
					};
					channel.postMessage('ready ' + threadId);
				}`
		});
		expect(result).toMatchObject({ stderr: '', exitCode: 0 });
		expect(result.stdout).toBe('from 1,from 2,heard from 1,heard from 2,ready 1,ready 2\nexit 0\nexit 0\n');
	});
});
