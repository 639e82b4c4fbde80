import { beforeEach, afterEach, describe, expect, it } from 'vitest';
import { createWasmEnvironment, type WasmExecutionEnvironment } from '#computer/host/environment.ts';
import { holdFiles, printMuch } from './hit.ts';
import { watchLongTasks } from './long-tasks.ts';

const MB = 1024 * 1024;

/** Hits each limit of the sandbox as a program would; afterwards files must be intact and commands must run. */
describe('at its limits', () => {
	let sandbox: WasmExecutionEnvironment;
	const crashes: string[] = [];
	let longTasks: ReturnType<typeof watchLongTasks>;

	beforeEach(async () => {
		crashes.length = 0;
		// Files may have a quarter of it, 512 MB.
		Object.defineProperty(navigator, 'deviceMemory', { configurable: true, value: 2 });
		sandbox = createWasmEnvironment({ onCrash: (reason) => crashes.push(reason) });
		await sandbox.writeFile('kept.txt', 'kept');
		// Loads code that is loaded on first use, so that it does not count for any limit.
		await sandbox.exec('node -e 0');
		longTasks = watchLongTasks();
	});
	afterEach(async ({ task }) => {
		Reflect.deleteProperty(navigator, 'deviceMemory');
		console.info(`${task.name}: main-thread tasks over 50 ms: ${(await longTasks.stop()).join(', ') || 'none'}`);
		expect(crashes).toEqual([]);
		expect(await sandbox.readFile('kept.txt')).toBe('kept');
		expect(await sandbox.exec('cat kept.txt && node -p 6*7')).toMatchObject({ stdout: 'kept42\n', exitCode: 0 });
		await sandbox.cleanup();
	});

	it.each([
		['node', 'node -e "(function deeper() { deeper(); })()"', /Maximum call stack size exceeded/],
		['the shell', 'deeper() { deeper; }; deeper', /recursion|nesting|stack/i]
	])('endless recursion in %s ends with an error', async (_, command, message) => {
		const { exitCode, stderr } = await sandbox.exec(command, { timeoutMs: 30_000 });
		expect(stderr).toMatch(message);
		expect(exitCode).not.toBe(0);
		expect(exitCode).not.toBe(124);
	});

	it.each([
		['node', 'node -e "for (;;);"'],
		['node that writes', `node -e "for (;;) require('fs').writeFileSync('spin.txt', 'x')"`],
		['the shell', 'while true; do :; done'],
		['awk', `awk 'BEGIN { while (1) x++ }'`]
	])('an endless loop in %s ends at the time limit', async (_, command) => {
		const { exitCode, timedOut } = await sandbox.exec(command, { timeoutMs: 1000 });
		expect({ exitCode, timedOut }).toEqual({ exitCode: 124, timedOut: true });
	});

	it('of output without bounds the beginning and the end are kept', async () => {
		await printMuch(sandbox, 64);
	});

	it('a file over 64 MB is refused, and so is what does not fit into the limit of all files', async () => {
		const { stdout } = await sandbox.exec(
			`node -e "
			const fs = require('fs');
			const tell = (work) => { try { work(); console.log('done'); } catch (error) { console.log(error.message); } };
			const block = Buffer.alloc(64 << 20);
			tell(() => fs.writeFileSync('large', Buffer.alloc((64 << 20) + 1)));
			fs.writeFileSync('full0', block);
			tell(() => fs.appendFileSync('full0', 'x'));
			const { bsize, bfree } = fs.statfsSync('.');
			const room = Math.floor((bsize * bfree) / block.length);
			let count = 1;
			tell(() => { for (; count < 99; count++) fs.writeFileSync('full' + count, block); });
			console.log(count - 1 - room);
			"`,
			{ timeoutMs: 50_000 }
		);
		expect(stdout.split('\n')).toEqual([
			expect.stringMatching(/^EFBIG: file too large/),
			expect.stringMatching(/^EFBIG: file too large/),
			expect.stringMatching(/^ENOSPC: no space left/),
			'0',
			''
		]);
		await expect(sandbox.writeFile('more', new Uint8Array(64 * MB))).rejects.toMatchObject({
			code: 'ENOSPC',
			message: expect.stringMatching(/sandbox is full: 512 MB.*remove something/)
		});
		await sandbox.exec('rm -f full* large');
		await sandbox.writeFile('more', new Uint8Array(64 * MB));
		await sandbox.remove('more');
	});
});

it('holds 10,000 files: listed, searched, found, kept and removed', async () => {
	console.info(await holdFiles(10_000));
});
