import { describe, expect, it } from 'vitest';
import type { OutputChunk } from '#environment/contract.ts';
import { codeOf, until, type EnvironmentOf, type ItWith } from './checks.ts';
import { execLimited } from '../longer-limits.ts';

export function describeCommands(environmentOf: EnvironmentOf, itWith: ItWith): void {
	describe('commands', () => {
		it('runs a command in the working directory', async () => {
			await environmentOf().writeFile('in.txt', 'content\n');
			const result = await environmentOf().exec('cat in.txt && pwd');
			expect(result.stdout).toBe(`content\n${environmentOf().workingDirectory()}\n`);
			expect(result).toMatchObject({ stderr: '', exitCode: 0, timedOut: false });
			expect(result.durationMs).toBeGreaterThanOrEqual(0);
		});

		it('sees files both ways', async () => {
			await environmentOf().exec('mkdir -p made/here && printf "by shell" > made/here/a.txt');
			expect(await environmentOf().readFile('made/here/a.txt')).toBe('by shell');
		});

		it('keeps the streams apart and the exit code', async () => {
			const result = await environmentOf().exec('echo out; echo err >&2; exit 7');
			expect(result).toMatchObject({ stdout: 'out\n', stderr: 'err\n', exitCode: 7 });
		});

		it('says 127 for a command that does not exist', async () => {
			const result = await environmentOf().exec('no-such-command-here');
			expect(result.exitCode).toBe(127);
			expect(result.stderr).toMatch(/no-such-command-here/);
		});

		it('takes a directory, variables and input', async () => {
			await environmentOf().makeDirectory('sub');
			const result = await environmentOf().exec('echo "$GREETING from $(pwd)"; cat', {
				cwd: 'sub',
				env: { GREETING: 'hello' },
				stdin: 'typed in'
			});
			expect(result.stdout).toBe(`hello from ${environmentOf().workingDirectory()}/sub\ntyped in`);
		});

		it('gives an empty input where none was passed', async () => {
			expect(await environmentOf().exec('cat; echo end')).toMatchObject({ stdout: 'end\n', exitCode: 0 });
		});

		it('refuses a directory that does not exist', async () => {
			expect(await codeOf(environmentOf().exec('echo x', { cwd: 'no/such/dir' }))).toBe('ENOENT');
		});

		it('streams output while the command runs', async () => {
			const chunks: OutputChunk[] = [];
			let sawFirst: () => void = () => {};
			const first = new Promise<void>((resolve) => (sawFirst = resolve));
			let ended = false;
			const run = environmentOf()
				.exec('echo first; while [ ! -f go ]; do sleep 0.05; done; echo second', {
					onOutput: (chunk) => {
						chunks.push(chunk);
						sawFirst();
					}
				})
				.finally(() => (ended = true));
			await first;
			expect(ended).toBe(false);
			await environmentOf().writeFile('go', '');
			const result = await run;
			expect(chunks.map((chunk) => chunk.data).join('')).toBe('first\nsecond\n');
			expect(result.stdout).toBe('first\nsecond\n');
		});

		itWith('node', 'never cuts a character in two', async () => {
			const chunks: string[] = [];
			const script = "process.stdout.write('é🌍漢'.repeat(30000))";
			const result = await environmentOf().exec(`node -e "${script}"`, { onOutput: ({ data }) => chunks.push(data) });
			expect(result.stdout).toBe('é🌍漢'.repeat(30_000));
			expect(chunks.some((chunk) => chunk.includes('\ufffd'))).toBe(false);
			expect(chunks.join('')).toBe(result.stdout);
		});

		itWith('node', 'runs Node', async () => {
			const result = await environmentOf().exec('node -e "console.log(6 * 7); process.exit(3)"');
			expect(result).toMatchObject({ stdout: '42\n', exitCode: 3 });
		});

		it('ends a command that takes too long and keeps what it printed', async () => {
			const result = await execLimited(environmentOf(), 'echo before; sleep 30; echo after');
			expect(result).toMatchObject({ stdout: 'before\n', timedOut: true, exitCode: 124 });
			expect(result.durationMs).toBeLessThan(30_000);
		});

		itWith('node', 'ends the whole tree on a timeout', async () => {
			const child = `node -e "setInterval(() => require('fs').appendFileSync('beat', 'x'), 20)"`;
			// On a busy machine they may take longer to start beating.
			for (const timeoutMs of [1_500, 6_000, 20_000]) {
				const result = await environmentOf().exec(`${child} & ${child}; wait`, { timeoutMs });
				expect(result.timedOut).toBe(true);
				if (await environmentOf().fileExists('beat')) break;
			}
			const size = (await environmentOf().stat('beat')).size;
			expect(size).toBeGreaterThan(0);
			await environmentOf().exec('sleep 0.3');
			expect((await environmentOf().stat('beat')).size).toBe(size);
		});

		it('ends a command when the signal fires', async () => {
			const controller = new AbortController();
			const result = await environmentOf().exec('echo started; sleep 30', {
				signal: controller.signal,
				onOutput: () => controller.abort()
			});
			expect(result).toMatchObject({ stdout: 'started\n', exitCode: 130, timedOut: false });
		});

		it('runs nothing when the signal has already fired', async () => {
			const result = await environmentOf().exec('echo x > ran', { signal: AbortSignal.abort() });
			expect(result.exitCode).toBe(130);
			expect(await environmentOf().fileExists('ran')).toBe(false);
		});

		it('runs several at once', async () => {
			const results = await Promise.all([1, 2, 3].map((n) => environmentOf().exec(`sleep 0.05; echo ${n}`)));
			expect(results.map((result) => result.stdout)).toEqual(['1\n', '2\n', '3\n']);
		});
	});
	describe('background processes', () => {
		itWith('background', 'takes input until it is closed', async () => {
			const process = await environmentOf().start('cat');
			expect(process.pid).toBeGreaterThan(0);
			await process.write('one\n');
			await process.write('two\n');
			await process.closeInput();
			expect(await process.exited).toMatchObject({ stdout: 'one\ntwo\n', exitCode: 0 });
			expect(await codeOf(process.write('late'))).toBe('EPIPE');
		});

		itWith('background', 'streams, and is killed with its code', async () => {
			const seen: string[] = [];
			const process = await environmentOf().start('echo up; sleep 60', { onOutput: ({ data }) => seen.push(data) });
			await until(() => seen.join('').includes('up'));
			await process.kill('SIGKILL');
			const result = await process.exited;
			expect(result).toMatchObject({ stdout: 'up\n', exitCode: 137, timedOut: false });
			await process.closeInput();
		});

		itWith('unread input', 'says that input arrived nowhere when the process ends without having read it', async () => {
			const process = await environmentOf().start('sleep 0.1; exit 3');
			expect(await codeOf(process.write('unread'.repeat(500_000)))).toBe('EPIPE');
			await process.closeInput();
			expect((await process.exited).exitCode).toBe(3);
		});

		itWith('background', 'lets the caller do other things meanwhile', async () => {
			const process = await environmentOf().start('while [ ! -f stop ]; do sleep 0.05; done; echo seen');
			expect((await environmentOf().exec('echo meanwhile')).stdout).toBe('meanwhile\n');
			await environmentOf().writeFile('stop', '');
			expect((await process.exited).stdout).toBe('seen\n');
		});
	});
	describe('a terminal', () => {
		itWith('terminal', 'answers what is typed', async () => {
			const terminal = await environmentOf().openTerminal({ columns: 80, rows: 24 });
			let screen = '';
			terminal.onData((data) => (screen += data));
			terminal.write('echo typed-$((40 + 2))\r');
			await until(() => screen.includes('typed-42'));
			terminal.resize({ columns: 100, rows: 30 });
			terminal.write('exit\r');
			expect(await terminal.exited).toBe(0);
		});

		itWith('terminal', 'closes with everything it started', async () => {
			const terminal = await environmentOf().openTerminal({ columns: 80, rows: 24 });
			let screen = '';
			terminal.onData((data) => (screen += data));
			terminal.write('sleep 60\r');
			terminal.write('\r');
			await terminal.close();
			expect(typeof (await terminal.exited)).toBe('number');
		});
	});
}
