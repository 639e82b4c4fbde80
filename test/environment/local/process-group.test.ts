import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { endGroup, isRunning, signalGroup } from '#environment/local/process-group.ts';

describe.skipIf(process.platform !== 'linux')('a process group (Linux)', () => {
	it('does not run when all that is left of it are ended processes that nothing collects', async () => {
		// The program that takes the shell's place does not know of the child.
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
