import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ExecOptions } from '#environment/contract.ts';
import { createWasmEnvironment, type WasmExecutionEnvironment } from '#computer/host/environment.ts';

let sandbox: WasmExecutionEnvironment;
beforeAll(async () => {
	sandbox = createWasmEnvironment();
	await sandbox.initialize();
});
afterEach(async () => {
	await sandbox.exec('rm -rf /tmp/* a.txt', { takesTemporaryFiles: true });
});
afterAll(() => sandbox.cleanup());

/** Output of a command on trial that is discarded afterwards. */
async function onTrial(command: string): Promise<string> {
	const trial = await sandbox.runOnTrial(command);
	await trial.discard();
	expect(trial.effects.files).toEqual([]);
	return trial.result.stdout + trial.result.stderr;
}

const forReal = async (command: string, options?: ExecOptions) => (await sandbox.exec(command, options)).stdout;

describe('what a command on trial leaves in /tmp', () => {
	it('is found by the next one on trial, changed and removed by it', async () => {
		await onTrial(
			'mkdir -p /tmp/d/e && echo "echo hello" > /tmp/d/run.sh && chmod 750 /tmp/d/run.sh && ln -s run.sh /tmp/d/l'
		);
		expect(await onTrial('/tmp/d/run.sh; readlink /tmp/d/l; stat -c %a /tmp/d/run.sh; ls /tmp/d')).toBe(
			'hello\nrun.sh\n750\ne\nl\nrun.sh\n'
		);
		await onTrial('echo "echo again" >> /tmp/d/run.sh; rm /tmp/d/l; mv /tmp/d/e /tmp/d/f');
		expect(await onTrial('/tmp/d/run.sh; ls /tmp/d')).toBe('hello\nagain\nf\nrun.sh\n');
		await onTrial('rm -r /tmp/d');
		expect(await onTrial('ls /tmp')).toBe('');
	});

	it('is found by reads of the environment, and not by commands outside of trials', async () => {
		await onTrial('echo secret > /tmp/note');
		expect(await sandbox.readFile('/tmp/note')).toBe('secret\n');
		expect(await forReal('ls /tmp; cat /tmp/note')).toBe('');
		const terminal = await sandbox.start('ls /tmp');
		expect((await terminal.exited).stdout).toBe('');
	});

	it('is moved to the machine by a command that takes it', async () => {
		await onTrial('echo 1 > /tmp/one; echo 2 > /tmp/two');
		expect(await forReal('cat /tmp/one', { takesTemporaryFiles: true })).toBe('1\n');
		expect(await forReal('cat /tmp/two')).toBe('2\n');
		await forReal('rm /tmp/one');
		expect(await onTrial('ls /tmp')).toBe('two\n');
	});

	it('gives way to a newer file of the machine', async () => {
		await onTrial('echo trial > /tmp/file; echo trial > /tmp/other; mkdir /tmp/way; echo x > /tmp/way/x');
		await onTrial('touch -d 2001-01-01 /tmp/file');
		await sandbox.writeFile('/tmp/file', 'machine\n');
		await sandbox.writeFile('/tmp/way', 'a file now\n');
		expect(await sandbox.readFile('/tmp/file')).toBe('machine\n');
		expect(await onTrial('cat /tmp/file /tmp/other /tmp/way')).toBe('machine\ntrial\na file now\n');
	});

	it('stays when effects of the same command are applied or discarded', async () => {
		const trial = await sandbox.runOnTrial('echo x > /tmp/x; echo y > a.txt');
		expect(trial.effects.files).toEqual([{ path: '/workspace/a.txt', kind: 'added' }]);
		await trial.apply();
		expect(await onTrial('cat /tmp/x a.txt')).toBe('x\ny\n');
		const dropped = await sandbox.runOnTrial('echo z > /tmp/x; rm a.txt');
		await dropped.discard();
		expect(await onTrial('cat /tmp/x a.txt')).toBe('z\ny\n');
	});

	it('is limited in size, the oldest first', async () => {
		for (const name of ['a', 'b', 'c']) await onTrial(`head -c 30000000 /dev/zero > /tmp/${name}`);
		expect(await onTrial('ls /tmp')).toBe('b\nc\n');
	});
});
