import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import rawUrl from './fixtures/raw.ts?program';
import { sandboxInPage } from './in-page.ts';

/** A program that uses the memory it shares with the kernel. `SLOT` is `Slot` of `wire.ts`. */
const MEMORY = `
const SLOT = { state: 0, length: 1, kind: 2, total: 3, expected: 5, posted: 6 };
const slots = new Int32Array(start.memory, 0, 8), data = new Uint8Array(start.memory, 32), rings = new Int32Array(start.bell);
const { sync } = context;
const ring = () => { Atomics.add(rings, 0, 1); Atomics.notify(rings, 0); };
/** Sends what stands in the memory, as announced, and gives the kind of the reply. */
const send = (length) => {
	Atomics.store(slots, SLOT.length, length);
	Atomics.store(slots, SLOT.kind, 0);
	Atomics.store(slots, SLOT.state, 2);
	if (Atomics.load(slots, SLOT.expected) === 1) ring();
	else { Atomics.add(slots, SLOT.posted, 1); start.port.postMessage({ kind: 'call' }); }
	for (let state; (state = Atomics.load(slots, SLOT.state)) !== 1; ) Atomics.wait(slots, SLOT.state, state);
	return Atomics.load(slots, SLOT.kind);
};
`;

describe('calls over shared memory', () => {
	let sandbox: WasmExecutionEnvironment;
	beforeAll(async () => {
		sandbox = await sandboxInPage([{ name: 'raw', commands: ['bash'], hot: true, url: rawUrl }]);
	});
	afterAll(() => sandbox.cleanup());

	const run = async (code: string): Promise<unknown> => {
		const { stdout, stderr } = await sandbox.exec(MEMORY + code, { timeoutMs: 20_000 });
		if (stdout === '') throw new Error(stderr);
		return JSON.parse(stdout);
	};
	/** Runs `code`, which prints that it has started and never ends, while `body` runs. */
	const during = async (code: string, body: () => Promise<void>): Promise<void> => {
		let begun = (): void => {};
		const hasBegun = new Promise<void>((resolve) => (begun = resolve));
		const process = await sandbox.start(`${MEMORY} await context.async.write(1, new Uint8Array([46])); ${code}`, {
			onOutput: () => begun()
		});
		await Promise.race([hasBegun, process.exited]);
		await body();
		await process.kill('SIGKILL');
		expect((await process.exited).exitCode).toBe(137);
	};

	it('refuses rubbish there with EINVAL, and goes on', async () => {
		const outcome = await run(`
			let seed = 20261122;
			const random = (below) => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % below;
			const kinds = new Set(), codes = new Set();
			for (let round = 0; round < 300; round++) {
				const length = [0, 1, 2, 40, 400, -1, 2 ** 31 - 1][round % 7];
				// A call of no name: no call may come of it by chance.
				for (let at = 1; at < 400; at++) data[at] = random(256);
				data[0] = 200 + random(56);
				kinds.add(send(length));
				codes.add(JSON.parse(new TextDecoder().decode(data.slice(0, Atomics.load(slots, SLOT.length)))).code);
			}
			return [[...kinds], [...codes], sync.stat('/workspace').kind];`);
		expect(outcome).toEqual([[4], ['EINVAL'], 'directory']);
	});

	it('checks the arguments of every call, whatever they are', async () => {
		const codes = await run(`
			const codes = [];
			for (const [name, ...args] of [['stat', 7], ['stat', '\\0'], ['stat', new Uint8Array(3)], ['stat'],
				['readdir', 'no/root'], ['writeFile', '/workspace/x', 'text'], ['read', -1, 10], ['read', 0.5, 10],
				['writeAt', '/workspace/x', new Uint8Array(1), -5], ['mkdir', '/workspace/y', [1]], ['openFile', '/workspace/x', 'rm'],
				['utimes', '/workspace', Infinity, 0]]) {
				try { sync[name](...args); codes.push('done'); } catch (error) { codes.push(error.code); }
			}
			return codes;`);
		expect(codes).toEqual(Array(12).fill('EINVAL'));
	});

	it('answers a call after what was posted before it, from the door as by message', async () => {
		const seen = await run(`
			const bytes = (number) => new TextEncoder().encode(String(number));
			const wrong = [];
			for (let round = 0; round < 200; round++) {
				sync.stat('/workspace');
				void context.async.writeFile('/workspace/order', bytes(round));
				const read = new TextDecoder().decode(sync.readFile('/workspace/order'));
				if (read !== String(round)) wrong.push([round, read]);
			}
			return wrong;`);
		expect(seen).toEqual([]);
	});

	it('keeps no one else waiting for who calls, or rings, without a pause', async () => {
		for (const loop of ["for (;;) sync.stat('/workspace');", 'for (;;) ring();', 'for (;;) { ring(); send(0); }']) {
			await during(loop, async () => {
				expect((await sandbox.stat('/workspace')).kind).toBe('directory');
				expect(await run("return sync.readdir('/').length > 0;")).toBe(true);
			});
		}
	});

	it('leaves who lies of its own messages, or of where the kernel is, to itself', async () => {
		for (const lie of [
			"Atomics.store(slots, SLOT.posted, 1_000_000); sync.stat('/workspace');",
			"for (;;) { Atomics.store(slots, SLOT.expected, 1); Atomics.store(slots, SLOT.posted, -5); sync.stat('/workspace'); }"
		]) {
			await during(lie, async () => {
				const count = "let count = 0; for (; count < 500; count++) sync.stat('/workspace'); return count;";
				expect(await run(count)).toBe(500);
			});
		}
	});
});
