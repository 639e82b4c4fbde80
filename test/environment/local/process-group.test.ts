import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { endGroup, isRunning, signalGroup } from '#environment/local/process-group.ts';

describe.skipIf(process.platform !== 'linux')('a process group (Linux)', () => {
	afterEach(() => void vi.useRealTimers());

	it('is asked to end, and made to 2 s later, not before [9.4-4]', async () => {
		const stubborn = spawn('sh', ['-c', 'trap "echo asked" TERM; echo ready; while :; do sleep 0.01; done'], {
			stdio: ['ignore', 'pipe', 'ignore'],
			detached: true
		});
		const exited = once(stubborn, 'exit');
		let printed = '';
		stubborn.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()));
		// Even if the test exceeds its time limit.
		onTestFinished(() => void stubborn.kill('SIGKILL'));
		const group = Number(stubborn.pid);
		await expect.poll(() => printed).toBe('ready\n');
		vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
		const ended = endGroup(group);
		while (printed !== 'ready\nasked\n') await new Promise(setImmediate);
		// One step is a check of the group, which must finish before the next.
		const passed = async (ms: number): Promise<void> => {
			for (const end = performance.now() + ms; performance.now() < end;) {
				while (vi.getTimerCount() === 0) await new Promise(setImmediate);
				await vi.advanceTimersByTimeAsync(10);
			}
		};
		await passed(1_990);
		expect(stubborn).toMatchObject({ exitCode: null, signalCode: null });
		expect(await isRunning(group)).toBe(true);
		await vi.advanceTimersByTimeAsync(10);
		await ended;
		expect(await exited).toEqual([null, 'SIGKILL']);
	});

	it('does not run when all that is left of it are ended processes that nothing collects', async () => {
		// The program that replaces the shell does not know of the child.
		const parent = spawn('sh', ['-c', 'setsid sh -c "read -r line" <&3 & echo $!; exec sleep 600'], {
			stdio: ['ignore', 'pipe', 'inherit', 'pipe']
		});
		try {
			if (!parent.stdout) throw new Error('no output');
			const [output] = (await once(parent.stdout, 'data')) as [Buffer];
			const group = Number(output.toString());
			await expect.poll(() => isRunning(group)).toBe(true);
			const input = parent.stdio[3];
			if (input && 'end' in input) input.end('\n');
			await expect.poll(() => isRunning(group)).toBe(false);
			expect(signalGroup(group, 0)).toBe(true);
			await endGroup(group);
			expect(signalGroup(group, 0)).toBe(true);
		} finally {
			parent.kill('SIGKILL');
		}
	});
});
