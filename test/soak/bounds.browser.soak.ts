import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWasmEnvironment, type WasmExecutionEnvironment } from '#computer/host/environment.ts';
import { PROCESSES } from '#computer/abi/limits.ts';
import { holdFiles, printMuch } from '#test/computer/bounds/hit.ts';
import { watchLongTasks } from '#test/computer/bounds/long-tasks.ts';

let sandbox: WasmExecutionEnvironment;
const crashes: string[] = [];
let longTasks: ReturnType<typeof watchLongTasks>;

beforeEach(async () => {
	crashes.length = 0;
	sandbox = createWasmEnvironment({ onCrash: (reason) => crashes.push(reason) });
	await sandbox.writeFile('kept.txt', 'kept');
	await sandbox.exec('node -e 0');
	longTasks = watchLongTasks();
});
afterEach(async ({ task }) => {
	const tasks = await longTasks.stop();
	console.log(
		`${task.name}: main-thread tasks over 50 ms: ${tasks.join(', ') || 'none'}; crashes: ${crashes.join() || 'none'}`
	);
	expect(await sandbox.exec('cat kept.txt && node -p 6*7')).toMatchObject({ stdout: 'kept42\n', exitCode: 0 });
	await sandbox.cleanup();
});

/** Waits for a condition, on a machine busy with a fork bomb; gives up if the sandbox has crashed. */
async function soon(isThere: () => boolean | Promise<boolean>): Promise<void> {
	await expect
		.poll(async () => crashes.length > 0 || (await isThere()), { timeout: 600_000, interval: 100 })
		.toBe(true);
	expect(crashes).toEqual([]);
}

it('a fork bomb of node processes stops at the limit of processes, which is reported to it', async () => {
	await sandbox.writeFile(
		'bomb.js',
		`const { spawn } = require('child_process');
		for (let i = 0; i < 2; i++) {
			const child = spawn('node', ['bomb.js'], { stdio: 'ignore' });
			child.on('error', (error) => require('fs').writeFileSync('told.txt', error.message));
		}
		setInterval(() => {}, 1000);`
	);
	const bomb = await sandbox.start('node bomb.js');
	await soon(() => sandbox.fileExists('told.txt'));
	expect(await sandbox.readFile('told.txt')).toMatch(/EAGAIN/);
	await expect(sandbox.exec('true')).rejects.toMatchObject({
		code: 'EAGAIN',
		message: expect.stringContaining(`${PROCESSES} processes`)
	});
	await bomb.kill('SIGKILL');
	expect(crashes).toEqual([]);
});

it('a fork bomb of the shell can be killed', async () => {
	const bomb = await sandbox.start('bomb() { bomb | bomb & }; bomb; sleep 100');
	await Promise.race([bomb.exited, new Promise((resolve) => setTimeout(resolve, 5_000))]);
	await bomb.kill('SIGKILL');
	expect(crashes).toEqual([]);
});

it('a fork bomb of scripts is ended by the time limit, and at once', async () => {
	await sandbox.writeFile('bomb.sh', '#!/bin/sh\n"$0" & "$0" &\nwait\n');
	await sandbox.setMode('bomb.sh', 0o755);
	expect(await sandbox.exec('./bomb.sh', { timeoutMs: 10_000 })).toMatchObject({ exitCode: 124, timedOut: true });
	const from = performance.now();
	expect((await sandbox.exec('ps | grep -c bomb.s[h]')).stdout).toBe('0\n');
	console.log(`usable ${Math.round(performance.now() - from)} ms after the time limit`);
	expect(crashes).toEqual([]);
});

it('a fork bomb that a command left behind is ended when there is no process left for another', async () => {
	await sandbox.writeFile('bomb.sh', '#!/bin/sh\n"$0" & "$0" &\nwait\n');
	await sandbox.setMode('bomb.sh', 0o755);
	expect(await sandbox.exec('./bomb.sh &')).toMatchObject({ exitCode: 0 });
	let said = '';
	await soon(async () => /no process left.*were ended/.test((said = (await sandbox.exec('true')).stderr)));
	console.log(said);
	expect((await sandbox.exec('ps | grep -c bomb.s[h]')).stdout).toBe('0\n');
	expect(crashes).toEqual([]);
});

it('a fork bomb of scripts, started in a terminal, ends at Ctrl-C, and the terminal lives on', async () => {
	await sandbox.writeFile('bomb.sh', '#!/bin/bash\n./bomb.sh | ./bomb.sh &\nwait\n');
	await sandbox.setMode('bomb.sh', 0o755);
	const terminal = await sandbox.openTerminal({ columns: 80, rows: 24 });
	let screen = '';
	terminal.onData((data) => (screen += data));
	terminal.write('./bomb.sh\r');
	await soon(() => screen.includes('fork: retry: Resource temporarily unavailable'));
	terminal.write('\x03');
	const from = performance.now();
	terminal.write('bash -c "echo alive-$((6 * 7))"\r');
	await soon(() => screen.includes('alive-42'));
	console.log(`usable ${Math.round(performance.now() - from)} ms after Ctrl-C`);
	await terminal.close();
	expect(crashes).toEqual([]);
});

it('of 1 GB of output the beginning and the end are kept', async () => {
	await printMuch(sandbox, 1024);
	expect(crashes).toEqual([]);
});

it('holds 100,000 files: listed, searched, found, kept and removed', async () => {
	console.log(await holdFiles(100_000));
	expect(crashes).toEqual([]);
});
