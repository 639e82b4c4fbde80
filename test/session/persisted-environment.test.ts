import { expect, it, vi } from 'vitest';
import { PersistedEnvironment } from '../../src/session/persisted-environment.ts';
import { temporaryEnvironment } from '../agent/fake-session.ts';

it('gives a command’s result only when its writes are stored, and also when they cannot be', async () => {
	const inner = await temporaryEnvironment();
	const stored = vi.fn();
	const failed = vi.fn();
	let flush = async (): Promise<void> => void stored(await inner.readFile('made'));
	const environment = new PersistedEnvironment(inner, () => flush(), failed);
	const result = await environment.exec('echo kept > made');
	expect(result.exitCode).toBe(0);
	expect(stored).toHaveBeenCalledWith('kept\n');
	flush = () => Promise.reject(new Error('full'));
	expect((await environment.exec('echo still runs')).stdout).toBe('still runs\n');
	expect(failed).toHaveBeenCalledOnce();
});
