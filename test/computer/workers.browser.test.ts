import { afterEach, describe, expect, it } from 'vitest';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import { fetchText } from '#computer/host/shipping.ts';
import shellUrl from '#computer/shell/main.ts?program';
import runsUrl from './fixtures/runs.ts?program';
import { sandboxInPage } from './in-page.ts';

describe('the workers that processes run in', () => {
	let sandbox: WasmExecutionEnvironment;
	const open = async (url: string, reusable: boolean) =>
		(sandbox = await sandboxInPage([{ name: 'shell', commands: ['bash'], hot: true, reusable, url }]));
	const output = async (command: string) => (await sandbox.exec(command)).stdout;
	afterEach(() => sandbox.cleanup());

	it('run the next process when a program has left nothing behind', async () => {
		await open(runsUrl, true);
		expect([await output('clean'), await output('clean'), await output('clean')]).toEqual(['1', '2', '3']);
	});

	it('end with a process that may have left something, or was killed', async () => {
		await open(runsUrl, true);
		expect([await output('clean'), await output('unclean'), await output('clean')]).toEqual(['1', '2', '1']);
		const waiting = await sandbox.start('wait');
		await waiting.kill('SIGKILL');
		expect((await waiting.exited).exitCode).toBe(137);
		expect(await output('clean')).toBe('1');
	});

	it('end with each process of a program that runs code of others, whatever it says', async () => {
		await open(runsUrl, false);
		expect([await output('clean'), await output('clean')]).toEqual(['1', '1']);
	});

	it('keep nothing of one command line of the shell for the next', async () => {
		await open(shellUrl, true);
		await sandbox.exec(
			'x=1; export y=2; cd /tmp; f() { echo f; }; alias e=echo; set -u -o pipefail; umask 077; exec 2>&1'
		);
		expect(await output('echo "$x$y" "$PWD" "$(umask)" "$-" "$(jobs)"; f; e; echo $nothing')).toBe(
			' /workspace 0022 hBc \n\n'
		);
		const { stderr, exitCode } = await sandbox.exec('f');
		expect([stderr, exitCode]).toEqual(['bash: line 1: f: command not found\n', 127]);
	});

	it('are replaced when one does not begin', async () => {
		const hang = `if (Date.now() < ${Date.now() + 1_800}) for (;;);`;
		const text = `${hang}\n${await fetchText(runsUrl)}`;
		await open(URL.createObjectURL(new Blob([text])), false);
		expect(await output('clean')).toBe('1');
	});
});
