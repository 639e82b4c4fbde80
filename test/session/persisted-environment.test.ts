import { expect, it, vi } from 'vitest';
import { PersistedEnvironment } from '../../src/session/persisted-environment.ts';
import { temporaryEnvironment } from '../agent/fake-session.ts';

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
