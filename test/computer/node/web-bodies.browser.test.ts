import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import { nodeInPage } from './node-in-page.ts';

let sandbox: WasmExecutionEnvironment;
beforeAll(async () => {
	sandbox = await nodeInPage();
});
afterAll(() => sandbox.cleanup());

/** Lines printed by a program. They are those of Node 20 and 22. */
async function run(program: string): Promise<string[]> {
	await sandbox.writeFile('/workspace/program.mjs', program);
	const { stdout, stderr, exitCode } = await sandbox.exec('node program.mjs', { timeoutMs: 20_000 });
	expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
	return stdout.trimEnd().split('\n');
}

it('reads the streams that a program gives as bodies, and fails as they do', async () => {
	const program = `
		const stream = (...pieces) => new ReadableStream({ start(it) { for (const one of pieces) it.enqueue(one); it.close(); } });
		const bytes = (...all) => new Uint8Array(all);
		const say = (promise) => promise.then(console.log, (error) => console.log(error.name, error.message));
		const answer = new Response(stream(bytes(65), bytes(66)));
		const copy = answer.clone();
		console.log(await answer.text(), answer.bodyUsed, await copy.text());
		await say(answer.text());
		await say(new Response(new ReadableStream({ pull() { throw new RangeError('mine') } })).text());
		await say(new Request('http://x/', { method: 'POST', duplex: 'half', body: new ReadableStream({ pull() { throw new Error('of a request') } }) }).json());
		await say(new Response(stream('text')).text());
		await say(new Response(stream(bytes(0xef, 0xbb, 0xbf, 67))).text());
		await say(new Response(stream(bytes(123, 125))).json());
		const blob = await new Response(stream(bytes(68)), { headers: { 'content-type': 'text/x' } }).blob();
		console.log(blob.type, blob.size, (await new Response(stream(bytes(1, 2))).arrayBuffer()).byteLength);
		const locked = new Response(stream());
		locked.body.getReader();
		await say(locked.text());`;
	expect(await run(program)).toEqual([
		'AB true AB',
		'TypeError Body is unusable: Body has already been read',
		'RangeError mine',
		'Error of a request',
		'TypeError Received non-Uint8Array chunk',
		'C',
		'{}',
		'text/x 1 2',
		'TypeError Body is unusable: Body has already been read'
	]);
});

it('stays for what the browser reads, and ends where nothing will ever answer', async () => {
	const program = `
		for await (const chunk of new Blob(['abc']).stream()) console.log(chunk.length);
		const [one, other] = new Blob(['def']).stream().tee();
		(async () => { for await (const text of one.pipeThrough(new TextDecoderStream())) console.log(text) })();
		(async () => { const reader = other.getReader({ mode: 'byob' }); console.log((await reader.read(new Uint8Array(2))).value.length) })();
		new Response(new Blob(['ghi'])).body.pipeTo(new WritableStream({ write: (chunk) => console.log(chunk.length + 1) }));
		new Response(new ReadableStream()).text().then(() => console.log('never'));
		new ReadableStream().getReader().read().then(() => console.log('never'));
		process.on('exit', () => console.log('exit'));`;
	const lines = await run(program);
	expect(lines.at(0)).toBe('3');
	expect(lines.at(-1)).toBe('exit');
	expect(lines.slice(1, -1).sort()).toEqual(['2', '4', 'def']);
});

it('aborts with the words of Node, and keeps the address of an answer in its clone', async () => {
	const program = `
		const controller = new AbortController();
		controller.abort();
		console.log(controller.signal.reason.message, controller.signal.reason.stack.split('\\n')[0]);
		console.log(AbortSignal.abort().reason.name, AbortSignal.abort('why').reason, AbortSignal.any([AbortSignal.abort()]).reason.code);
		try { new AbortSignal() } catch ({ code, message }) { console.log(code, message) }
		try { AbortSignal.timeout(-1) } catch ({ code }) { console.log(code) }
		AbortSignal.timeout(60_000);
		const signal = AbortSignal.timeout(1);
		await new Promise((resolve) => { signal.onabort = resolve; setTimeout(() => {}, 1000) });
		console.log(signal.reason.name, signal.reason.message);
		const { createServer } = await import('node:http');
		const server = createServer((request, answer) => answer.end(request.url)).listen(0, async () => {
			const answer = await fetch('http://localhost:' + server.address().port + '/path');
			console.log(new URL(answer.clone().url).pathname, await answer.text());
			server.close();
		});`;
	expect(await run(program)).toEqual([
		'This operation was aborted AbortError: This operation was aborted',
		'AbortError why 20',
		'ERR_ILLEGAL_CONSTRUCTOR Illegal constructor',
		'ERR_OUT_OF_RANGE',
		'TimeoutError The operation was aborted due to timeout',
		'/path /path'
	]);
});
