import { expect, it, vi } from 'vitest';
import { PersistedEnvironment } from '#session/persisted-environment.ts';
import { temporaryEnvironment } from '#test/agent/fake-session.ts';

it('gives a command’s result only when its writes are stored, and also when they cannot be', async () => {
	const inner = await temporaryEnvironment();
	const stored = vi.fn();
	let flush = async (): Promise<void> => void stored(await inner.readFile('made'));
	const environment = new PersistedEnvironment(inner, () => flush());
	const result = await environment.exec('echo kept > made');
	expect(result.exitCode).toBe(0);
	expect(stored).toHaveBeenCalledWith('kept\n');
	const failing = vi.fn(() => Promise.reject(new Error('full')));
	flush = failing;
	expect((await environment.exec('echo still runs')).stdout).toBe('still runs\n');
	expect(failing).toHaveBeenCalledOnce();
});

it('is of no more use to its holders once the computer is someone else’s, who goes on with it', async () => {
	const inner = await temporaryEnvironment();
	const environment = new PersistedEnvironment(inner, () => Promise.resolve());
	const told: string[] = [];
	environment.onChange(({ path }) => told.push(path));
	await environment.writeFile('before', '');
	await vi.waitFor(() => expect(told).toHaveLength(1));
	environment.leave();
	await expect(environment.exec('echo late > late')).rejects.toMatchObject({ code: 'ECLOSED' });
	await expect(environment.writeFile('late', '')).rejects.toMatchObject({ code: 'ECLOSED' });
	await environment.cleanup();
	await inner.writeFile('after', '');
	expect(await inner.fileExists('late')).toBe(false);
	expect((await inner.exec('ls')).stdout).toBe('after\nbefore\n');
	expect(told).toHaveLength(1);
});
