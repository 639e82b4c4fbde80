import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ExecutionEnvironment, Terminal } from '#environment/contract.ts';

const LIMIT_MS = 30_000;
/** BusyBox's shell asks for the cursor position after it. */
const PROMPT = /\$ (\x1b\[6n)?$/;
const SIZE = { columns: 80, rows: 24 };

/** The shared suite of terminals that are devices: everything an editor, a pager and job control need. */
export function describeDeviceTerminal(name: string, open: () => Promise<ExecutionEnvironment>): void {
	describe(name, { timeout: LIMIT_MS }, () => {
		let environment: ExecutionEnvironment;
		const opened: Terminal[] = [];
		beforeAll(async () => {
			environment = await open();
		}, 120_000);
		afterEach(async () => {
			await Promise.all(opened.splice(0).map((terminal) => terminal.close()));
		});

		/** Opens a terminal. `says` waits until the output since the last wait matches. */
		const terminal = async () => {
			const shell = await environment.openTerminal(SIZE);
			opened.push(shell);
			let screen = '';
			shell.onData((data) => void (screen += data));
			const says = async (wanted: RegExp): Promise<string> => {
				await expect.poll(() => wanted.test(screen) || screen.slice(-500), { timeout: 15_000 }).toBe(true);
				const found = wanted.exec(screen);
				screen = screen.slice((found?.index ?? 0) + (found?.[0].length ?? 0));
				return found?.[0] ?? '';
			};
			return { shell, says, type: (text: string) => shell.write(text) };
		};
		const has = async (program: string): Promise<boolean> =>
			(await environment.exec(`command -v ${program}`)).exitCode === 0;

		it('is a terminal of the given size, which follows the page', async () => {
			const { shell, says, type } = await terminal();
			type('test -t 0 && test -t 1 && echo "is a $TERM"; stty size\r');
			await says(/is a xterm-256color\r\n24 80\r\n/);
			shell.resize({ columns: 132, rows: 50 });
			type('stty size\r');
			await says(/50 132\r\n/);
		});

		it('interrupts with Ctrl-C, suspends with Ctrl-Z and resumes', async () => {
			const { says, type } = await terminal();
			// The program prints that it runs: only then is it sure to own the terminal, which sends it the key.
			type('sh -c "echo one; exec sleep 600"; echo two\r');
			await says(/one\r\n/);
			type('\x03');
			type('echo "code $?"\r');
			await says(/code 130\r\n/);
			// If typed before the program runs, a word would be received by the shell's line editor.
			type('sh -c "echo ready; exec cat"\r');
			await says(/ready\r\n/);
			type('typed\r');
			await says(/typed\r\ntyped\r\n/);
			type('\x1a');
			await says(/Stopped/);
			type('kill %1; echo o"n"\r');
			await says(/on\r\n/);
		});

		it('keeps what is typed from the screen where a program asks so', async () => {
			const { says, type } = await terminal();
			type('stty -echo; echo hid"den"; read -r word; stty echo; echo "read ${#word}"\r');
			await says(/hidden\r\n/);
			type('secret\r');
			expect(await says(/[^]*read 6\r\n/)).not.toContain('secret');
		});

		it('shows an editor that writes a file', async ({ skip }) => {
			if (!(await has('vi'))) skip('There is no vi.');
			const { says, type } = await terminal();
			type('vi note.txt\r');
			// It fills the lines below the text, as on a screen of this size.
			await says(/~/);
			type('ifrom vi\x1b');
			await says(/from vi/);
			type(':wq\r');
			await says(PROMPT);
			expect(await environment.readFile('note.txt')).toBe('from vi\n');
		});

		it('shows a pager that waits for keys', async ({ skip }) => {
			if (!(await has('less'))) skip('There is no less.');
			const { says, type } = await terminal();
			type('clear; seq 1000 > lines.txt; less lines.txt; echo le"ft"\r');
			await says(/(?<!\d)1\r\n(\x1b\[K)?2\r\n/);
			type(' ');
			await says(/(?<!\d)40\r\n/);
			type('q');
			await says(/left\r\n/);
		});

		it('says how the shell ended', async () => {
			const { shell, type } = await terminal();
			type('exit 3\r');
			expect(await shell.exited).toBe(3);
		});

		it('ends with its shell all that it started, in jobs of their own too', async () => {
			const { shell, says, type } = await terminal();
			type('sleep 4321 & nohup sleep 4322 > /dev/null 2>&1 & sleep 4323 | cat & echo star"ted"\r');
			await says(/started\r\n/);
			await shell.close();
			expect(typeof (await shell.exited)).toBe('number');
			const running = async () =>
				(await environment.exec('cat /proc/[0-9]*/cmdline 2> /dev/null | tr "\\0" " "')).stdout.match(/sleep 432\d/g);
			expect(await running()).toBe(null);
		});

		it('carries more than a megabyte in order', async () => {
			const { shell, says, type } = await terminal();
			// A shell without a line editor prints its prompt after what was already typed, before the first line.
			await says(/\$ /);
			let all = '';
			shell.onData((data) => void (all += data));
			type(
				'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo "line $i ...................................................."; done; echo do"ne"\r'
			);
			await expect.poll(() => PROMPT.test(all) && all.slice(-200).includes('done\r\n'), { timeout: 20_000 }).toBe(true);
			const lines = [...all.matchAll(/^line (\d+) /gm)].map(([, number]) => Number(number));
			expect(lines).toEqual(Array.from({ length: 20_000 }, (_, index) => index + 1));
		});
	});
}
