import { tmpdir } from 'node:os';
import { realpathSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Terminal } from '#environment/contract.ts';
import { hostTerminals } from '#server/machines/host-terminal.ts';
import { inTime } from '#test/in-time.ts';

const isInstalled = await import('@lydell/node-pty').then(
	() => true,
	() => false
);
const FOLDER = realpathSync(tmpdir());

/** Starts a script of `sh` on a device of 80 columns and 24 rows; `shown` is its output. */
async function start(script: string) {
	const open = await hostTerminals();
	if (!open) expect.fail('The library is installed, and there are no terminals.');
	const launch = {
		program: '/bin/sh',
		args: ['-c', script],
		cwd: FOLDER,
		env: { PATH: '/usr/bin:/bin', WORD: 'word' }
	};
	const terminal = open(launch, { columns: 80, rows: 24 });
	onTestFinished(() => terminal.close());
	return terminal;
}

function shownBy(terminal: Terminal) {
	let text = '';
	terminal.onData((data) => void (text += data));
	return () => text;
}

const exitOf = (terminal: Terminal): Promise<number> => inTime(terminal.exited, 'the end of the shell');

describe.skipIf(!isInstalled)('a terminal device', () => {
	it('has the size, the folder and the variables that its shell is given', async () => {
		const shown = shownBy(await start('stty size; pwd; echo "$TERM $WORD"; echo "[$PS1]"'));
		await expect.poll(shown).toBe(`24 80\r\n${FOLDER}\r\nxterm-256color word\r\n[$ ]\r\n`);
	});

	it('gives its shell what is typed, and its new size', async () => {
		// It does not end: node-pty gives up 200 ms after an end, and what a busy machine has not read by then is lost.
		const terminal = await start('read word; stty size; echo "got $word"; read end');
		const shown = shownBy(terminal);
		terminal.resize({ columns: 132, rows: 50 });
		terminal.write('typed\r');
		await expect.poll(shown).toBe('typed\r\n50 132\r\ngot typed\r\n');
	});

	it.each([
		['exit 0', 0],
		['exit 3', 3],
		['kill -9 $$', 137]
	])('says of %s that it ended with %i, and is no longer written to', async (script, code) => {
		const terminal = await start(script);
		expect(await exitOf(terminal)).toBe(code);
		expect(() => {
			terminal.resize({ columns: 1, rows: 1 });
			terminal.write('late\r');
		}).not.toThrow();
	});

	it('ends what runs on it when it is closed', async () => {
		const terminal = await start('sleep 1234');
		await inTime(terminal.close(), 'the end of the shell');
		expect(await exitOf(terminal)).toBe(129);
	});

	it('lets its program wait while what it printed is not taken', async () => {
		const terminal = await start('seq 1 20000; echo end; read -r go');
		let take = (): void => undefined;
		const taken = new Promise<void>((resolve) => (take = resolve));
		let text = '';
		terminal.onData((data) => {
			text += data;
			return taken;
		});
		const isWhole = () => text.endsWith('\r\n20000\r\nend\r\n');
		await expect(expect.poll(isWhole, { timeout: 200 }).toBe(true)).rejects.toThrow();
		take();
		await expect.poll(isWhole).toBe(true);
		terminal.write('\r');
		expect(await exitOf(terminal)).toBe(0);
	});
});
