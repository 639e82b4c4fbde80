import { afterEach, expect, it } from 'vitest';
import { createWasmEnvironment, type WasmExecutionEnvironment } from '#computer/host/environment.ts';
import kernelUrl from '#computer/kernel/main.ts?program';
import evaluateUrl from '../fixtures/evaluate.ts?program';

/** A kernel that runs what a process prints after `kernel:`, and whose file changes arrive `LATE_MS` late. */
const OBEYING = `
	const post = MessagePort.prototype.postMessage;
	MessagePort.prototype.postMessage = function (message, ...rest) {
		if (LATE_MS > 0 && message.type === 'changes') {
			return void setTimeout(() => post.call(this, message, ...rest), LATE_MS);
		}
		const text = message.type === 'output' ? new TextDecoder().decode(message.bytes) : '';
		if (text.startsWith('kernel:')) setTimeout(() => (0, eval)(text.slice(7)));
		return post.call(this, message, ...rest);
	};`;

let sandbox: WasmExecutionEnvironment;
afterEach(() => sandbox.cleanup());

async function openMortal({ beatMs, lateMs = 0 }: { beatMs?: number; lateMs?: number } = {}): Promise<{
	reasons: string[];
}> {
	const text = `${await (await fetch(kernelUrl)).text()}\n;{ const LATE_MS = ${lateMs}; ${OBEYING} }`;
	const mortal = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
	const reasons: string[] = [];
	sandbox = createWasmEnvironment({
		sandbox: {
			kernelUrl: mortal,
			programs: [{ name: 'evaluate', commands: ['bash'], hot: true, url: evaluateUrl }],
			assets: {}
		},
		beatMs,
		onCrash: (reason) => reasons.push(reason)
	});
	// A file and a program: the whole sandbox is running.
	await sandbox.writeFile('kept.txt', 'before');
	await sandbox.exec('return 1');
	return { reasons };
}

const order = (script: string) =>
	`context.sync.writeFile('/workspace/last.txt', new TextEncoder().encode('just before'));
	context.sync.write(1, new TextEncoder().encode(${JSON.stringify(`kernel:${script}`)}));
	return new Promise(() => {});`;

it.each([
	['fails', `throw new Error('a fault of the kernel')`, /a fault of the kernel/, 0],
	['fails before its changes have arrived', `throw new Error('a fault of the kernel')`, /a fault of the kernel/, 50],
	['ends', 'close()', /kernel has ended/, 0]
])(
	'when the kernel %s, the command ends saying so within 10 s, and the files are there again',
	async (_, script, reason, lateMs) => {
		const { reasons } = await openMortal({ lateMs });
		const from = performance.now();
		const { exitCode, stderr } = await sandbox.exec(order(script));
		const took = performance.now() - from;
		console.info(`noticed after ${took.toFixed(0)} ms: ${reasons.join()}`);
		expect(exitCode).toBe(137);
		expect(stderr).toMatch(/sandbox has stopped.*Run the command again/s);
		expect(reasons).toEqual([expect.stringMatching(reason)]);
		expect(await sandbox.readFile('kept.txt')).toBe('before');
		expect(await sandbox.readFile('last.txt')).toBe('just before');
		expect((await sandbox.exec('return 6 * 7')).stdout).toBe('42');
	}
);

it('when the kernel is stuck, that is noticed, too', async () => {
	const { reasons } = await openMortal({ beatMs: 100 });
	const { exitCode } = await sandbox.exec(order('while (true);'));
	expect(exitCode).toBe(137);
	expect(reasons).toEqual([expect.stringMatching(/does not answer/)]);
	expect(await sandbox.readFile('kept.txt')).toBe('before');
	expect((await sandbox.exec('return 6 * 7')).stdout).toBe('42');
});
