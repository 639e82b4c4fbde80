import { describe, expect } from 'vitest';
import { until, type ItWith } from '../environment/checks.ts';
import { untilBegun } from '../longer-limits.ts';
import { shellTail, createShellTail } from '#agent/tools/shell-tail.ts';
import { createHarness, detail, type HarnessOf } from './harness.ts';

const hasPrinted = ({ content }: { content: string }): boolean => content.startsWith('partial');

/** J.2 of the specification, as far as every environment supports it. */
export function describeShell(harnessOf: HarnessOf, itWith: ItWith): void {
	describe('shell', () => {
		itWith('background', 'runs a simple command [J.2-1.1, TOOLRES-004]', async () => {
			const result = await harnessOf().call('bash', { command: 'echo hello' });
			expect(result.content).toBe('hello\n');
			expect(result).toMatchObject({ isError: false, details: { exitCode: 0, truncated: false } });
			expect(detail(result, 'durationMs')).toEqual(expect.any(Number));
		});

		itWith('background', 'shows the exit code [J.2-1.2]', async () => {
			const result = await harnessOf().call('bash', { command: 'echo before; exit 1' });
			expect(result.content).toBe('before\n\n\nCommand exited with code 1');
			expect(result.isError).toBe(true);
			const neutral = await harnessOf().call('shell', { command: 'exit 3' });
			expect(neutral.content).toBe('[Exit code: 3]');
		});

		itWith('background', 'puts a prefix before each command, with its output [J.2-1.3, J.2-1.4]', async () => {
			const { environment } = harnessOf();
			const { call } = createHarness(environment, { commandPrefix: 'export TEST_VAR=hello\necho prefix_output' });
			const shown = 'prefix_output\nhello\n';
			expect((await call('bash', { command: 'echo $TEST_VAR' })).content).toBe(shown);
			expect((await call('shell', { command: 'echo $TEST_VAR' })).content).toBe(shown);
			const background = await call('shell', { command: 'echo $TEST_VAR', yield_time_ms: 10_000 });
			expect(background.content).toBe(`${shown}[Process 1 exited with code 0]`);
		});

		itWith('background', 'shows no half of a key that a look cuts in two', async () => {
			const { environment, call } = harnessOf();
			const secret = `ghp_${'aB3d'.repeat(9)}`;
			const wait = 'while [ ! -f go ]; do sleep 0.05; done';
			const command = `printf 'token ${secret.slice(0, 20)}'; ${wait}; echo ${secret.slice(20)}`;
			const started = await call('shell', { command, run_in_background: true });
			const session_id = Number(detail(started, 'processId'));
			let seen = started.content;
			await until(async () => {
				if (!seen.includes('token ')) seen += (await call('shell_input', { session_id, yield_time_ms: 50 })).content;
				return seen.includes('token ');
			});
			await environment.writeFile('go', '');
			// Returns when the command has ended.
			seen += (await call('shell_input', { session_id, yield_time_ms: 30_000 })).content;
			expect(seen).toContain('[secret left out: GitHub token]');
			expect(seen).not.toContain('aB3d');
		});

		itWith('background', 'ends a command that takes too long [J.2-2.1]', async () => {
			const command = 'echo partial; sleep 60';
			const run = (timeout: number) => harnessOf().call('bash', { command, timeout });
			const { result, limit } = await untilBegun([1, 5, 20], hasPrinted, run);
			expect(result.content).toMatch(/^partial\n[\s\S]*Command timed out after \d+ seconds$/);
			expect(result.content).toContain(`after ${limit} seconds`);
			expect(result).toMatchObject({ isError: true, details: { timedOut: true } });
		});

		itWith('background', 'tells the model about a timeout and what to do [S-8, 9.4-3]', async () => {
			const command = 'echo partial; sleep 60';
			const run = (timeout_ms: number) => harnessOf().call('shell', { command, timeout_ms });
			const { result, limit } = await untilBegun([300, 3_000, 20_000], hasPrinted, run);
			expect(result.content).toBe(
				`partial\n[ERROR: Command timed out after ${limit}ms. Partial output is shown above.\nYou can retry with a longer timeout by setting the timeout_ms parameter.]`
			);
		});

		itWith('background', 'says when the directory does not exist [J.2-2.2]', async () => {
			const result = await harnessOf().call('shell', { command: 'echo test', working_dir: 'does/not/exist' });
			expect(result).toMatchObject({ isError: true, content: expect.stringMatching(/ENOENT.*does\/not\/exist/) });
		});

		itWith(
			'node',
			'returns the end of a large output and keeps the whole in a file [J.2-3.1, J.2-3.2, S-34]',
			async () => {
				const { environment, call } = harnessOf();
				const command = `node -e "for (let i = 1; i <= 12000; i++) console.log('line number ' + i)"`;
				const result = await call('bash', { command });
				expect(result.content.length).toBeLessThan(60_000);
				expect(result.content).toContain('line number 12000\n');
				expect(result.content).not.toContain('line number 9000\n');
				const file = String(detail(result, 'outputFile'));
				expect(result.content).toContain(
					'[Showing lines 10001-12000 of 12000 (2000 lines limit, 200.1KB in all), 10000 earlier lines left out.'
				);
				expect(result.content).toContain(`Full output: ${file}]`);
				const whole = await environment.readFile(file);
				expect(whole.split('\n')).toHaveLength(12_001);
				// The event has the last 100 KB, and says where the rest is.
				const [first = '', ...window] = (result.fullOutput ?? '').split('\n');
				expect(first).toBe(`[${whole.length - 100_000} earlier bytes. Full output: ${file}]`);
				expect(window.join('\n')).toBe(whole.slice(-100_000));
				await environment.remove(file);
				const short = await call('bash', { command: 'seq 1 1900' });
				expect(short.content.split('\n')).toHaveLength(1_901);
				expect(short.details).not.toHaveProperty('outputFile');
			}
		);

		itWith('background', 'names a file with the whole of an output that is cut', async () => {
			const { environment, call } = harnessOf();
			const result = await call('shell', { command: 'seq 1 400; exit 3' });
			const file = /^\[The whole output, 401 lines, is in (\/tmp\/\S+)\]$/.exec(result.note ?? '')?.[1] ?? '';
			const numbers = Array.from({ length: 400 }, (_, index) => `${index + 1}\n`).join('');
			expect(await environment.readFile(file)).toBe(`${numbers}[Exit code: 3]`);
			await environment.remove(file);
			expect(await call('shell', { command: 'seq 1 200' })).not.toHaveProperty('note');
		});

		itWith('background', 'gives the model plain text, and the log what was printed', async () => {
			const { call } = harnessOf();
			const printed = String.raw`\033[31mred\033[0m \033]8;;http://a/\007link\033]8;;\007\n 10%%\r 20%%\rdone\r\n`;
			const command = `printf '${printed}'`;
			const plain = 'red link\ndone\n';
			for (const name of ['shell', 'bash']) {
				const result = await call(name, { command });
				expect(result.content).toBe(plain);
				expect(result.fullOutput).toContain('\u001b[31mred');
			}
			const background = await call('shell', { command, yield_time_ms: 10_000 });
			expect(background.content).toBe(`${plain}[Process 1 exited with code 0]`);
			expect(background.fullOutput).toContain('\u001b[31mred');
			expect((await call('shell', { command: 'echo plain' })).fullOutput).toBeUndefined();
		});

		itWith('background', 'captures both streams [J.2-3.3]', async () => {
			const result = await harnessOf().call('bash', { command: 'echo out && echo err >&2' });
			expect(result.content.split('\n').sort()).toEqual(['', 'err', 'out']);
		});

		itWith('node', 'cuts a long output at a character [J.2-3.4, J.2-5.1]', async () => {
			const { environment, call, progress } = harnessOf();
			const result = await call('bash', { command: `node -e "process.stdout.write('你好🌍'.repeat(20000))"` });
			// More than any system transfers at once: the stream must be complete, wherever it was split.
			expect(progress.length).toBeGreaterThan(1);
			expect(progress.join('')).toBe('你好🌍'.repeat(20_000));
			expect(`${result.content}${result.fullOutput}`).not.toContain('\ufffd');
			const shown = result.content.split('\n\n[')[0] ?? '';
			expect('你好🌍'.repeat(20_000).endsWith(shown)).toBe(true);
			expect(shown.length).toBeGreaterThan(1_000);
			const file = String(detail(result, 'outputFile'));
			expect(await environment.readFile(file)).toBe('你好🌍'.repeat(20_000));
			await environment.remove(file);
		});

		itWith('node', 'ends the whole process tree on a timeout [J.2-4.1, J.2-5.3]', async () => {
			const { environment, call } = harnessOf();
			const beat = `node -e "setInterval(() => require('fs').appendFileSync('beat', 'x'), 20)"`;
			const result = await call('bash', { command: `${beat} & ${beat} & wait`, timeout: 3 });
			expect(detail(result, 'timedOut')).toBe(true);
			const { size } = await environment.stat('beat');
			await environment.exec('sleep 0.3');
			expect((await environment.stat('beat')).size).toBe(size);
		});

		itWith('background', 'takes a pipe that ends early for what it is [J.2-4.2]', async () => {
			const result = await harnessOf().call('bash', { command: 'yes | head -5', timeout: 20 });
			expect(result).toMatchObject({ content: 'y\n'.repeat(5), isError: false });
		});

		itWith('background', 'has the variables of its environment [J.2-4.3]', async () => {
			const result = await harnessOf().call('bash', { command: 'echo "$HOME|$PATH"' });
			expect(result.content).toMatch(/^\/.+\|.*\/.+\n$/);
		});

		itWith('background', 'does not hang on a command that asks for input [J.2-5.2]', async () => {
			const asked = await harnessOf().call('bash', { command: 'read -r answer || echo "no input"', timeout: 5 });
			expect(asked.content).toContain('no input');
			const waits = await harnessOf().call('bash', { command: 'sleep 60', timeout: 0.5 });
			expect(waits.content).toContain('Command timed out after 0.5 seconds');
		});

		itWith('background', 'speaks bash, not sh [J.2-5.4]', async () => {
			const { environment, call } = harnessOf();
			await environment.writeFile('there', '');
			const test = 'if [[ -f there && abc == a* ]]; then items=(one two); echo "yes ${items[1]} ${#items[@]}"; fi';
			expect((await call('bash', { command: test })).content).toBe('yes two 2\n');
			const substituted = await call('bash', { command: 'cat <(echo in) <(echo turn)' });
			expect(substituted).toMatchObject({ content: 'in\nturn\n', isError: false });
		});

		itWith('background', 'counts the lines left out exactly [J.2-5.5]', async () => {
			const { environment, context } = harnessOf();
			const tool = createShellTail({ maxLines: 100, maxBytes: 51_200 });
			const result = await tool.execute({ command: 'seq 1 150' }, context);
			expect(result.content).toMatch(/^51\n52\n/);
			expect(result.content).toContain(
				'[Showing lines 51-150 of 150 (100 lines limit, 492B in all), 50 earlier lines left out.'
			);
			await environment.remove(String(detail(result, 'outputFile')));
		});

		itWith('background', 'says the limit that cut and the size of the whole [J.8-4.2]', async () => {
			const { environment, call } = harnessOf();
			await environment.writeFile('large.log', `${'0123456789'.repeat(8)}\n`.repeat(1_011));
			const result = await call('bash', { command: 'cat large.log' });
			expect(result.content).toContain('of 1011 (50.0KB limit, 80.0KB in all), ');
			await environment.remove(String(detail(result, 'outputFile')));
		});

		itWith('background', 'refuses arguments of the wrong type [J.2-5.6]', async () => {
			for (const command of [null, 5, undefined]) {
				const result = await harnessOf().call('bash', { command });
				expect(result).toMatchObject({
					isError: true,
					content: expect.stringContaining('Invalid arguments for bash: command')
				});
			}
		});

		itWith('background', 'shows output while it runs [S-36]', async () => {
			const { environment, progress, call } = harnessOf();
			const run = call('bash', {
				command: 'echo first; while [ ! -f go ]; do sleep 0.05; done; echo second',
				timeout: 30
			});
			await until(() => progress.join('').includes('first'));
			expect(progress.join('')).not.toContain('second');
			await environment.writeFile('go', '');
			expect((await run).content).toBe('first\nsecond\n');
		});

		itWith('background', 'is ended by the signal, and says so', async () => {
			const { context } = harnessOf();
			const controller = new AbortController();
			const onProgress = (): void => controller.abort();
			const result = await shellTail.execute(
				{ command: 'echo up; sleep 60' },
				{ ...context, signal: controller.signal, onProgress }
			);
			expect(result).toMatchObject({
				isError: true,
				content: expect.stringContaining('Command aborted'),
				details: { refused: true }
			});
		});

		itWith('background', 'runs in the background, is polled, written to and ended', async () => {
			const { call } = harnessOf();
			const started = await call('shell', {
				command: 'echo up; while read -r l; do echo "got $l"; done',
				run_in_background: true
			});
			const session_id = Number(detail(started, 'processId'));
			expect(started).toMatchObject({ isError: false, details: { running: true } });
			let seen = started.content;
			seen += (await call('shell_input', { session_id, chars: 'hello\n', yield_time_ms: 300 })).content;
			await until(async () => {
				seen += (await call('shell_input', { session_id, yield_time_ms: 50 })).content;
				return seen.includes('got hello');
			});
			expect(seen).toContain('up\n');
			const ended = await call('shell_input', { session_id, kill: true });
			expect(ended).toMatchObject({ isError: false, details: { running: false } });
			expect((await call('shell_input', { session_id: 99 })).content).toContain('no background process 99');
		});

		itWith('background', 'hands back a command that is slow, and the result of a quick one', async () => {
			const { call } = harnessOf();
			const quick = await call('shell', { command: 'echo done', yield_time_ms: 10_000 });
			expect(quick.content).toContain('done\n');
			expect(quick).toMatchObject({ isError: false, details: { running: false, exitCode: 0 } });
			const slow = await call('shell', { command: 'sleep 60', yield_time_ms: 100 });
			expect(detail(slow, 'running')).toBe(true);
			await call('shell_input', { session_id: detail(slow, 'processId'), kill: true });
		});
	});
}
