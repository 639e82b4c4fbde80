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

it('stores what an applied trial wrote before it says so, and what a discarded one wrote not at all', async () => {
	const inner = await temporaryEnvironment();
	const steps: string[] = [];
	const trial = {
		result: { exitCode: 3 },
		effects: { files: [] },
		read: async (path: string, side: string) => new TextEncoder().encode(`${path} ${side}`),
		apply: async () => {
			steps.push('applied');
			return { conflicts: ['a'] };
		},
		discard: async () => void steps.push('discarded')
	};
	const asked: unknown[] = [];
	Object.defineProperty(inner, 'runOnTrial', {
		configurable: true,
		value: async (...args: unknown[]) => {
			asked.push(args);
			return trial;
		}
	});
	let flush = async (): Promise<void> => void steps.push('stored');
	const environment = new PersistedEnvironment(inner, () => flush());
	const begun = await environment.runOnTrial?.('make', { timeoutMs: 1 } as never);
	expect(asked).toEqual([['make', { timeoutMs: 1 }]]);
	expect([begun?.result, begun?.effects]).toEqual([trial.result, trial.effects]);
	expect(new TextDecoder().decode((await begun?.read('a', 'after')) ?? undefined)).toBe('a after');
	expect(await begun?.apply()).toEqual({ conflicts: ['a'] });
	expect(steps).toEqual(['applied', 'stored']);
	await begun?.discard();
	expect(steps).toEqual(['applied', 'stored', 'discarded']);
	flush = () => Promise.reject(new Error('full'));
	expect(await begun?.apply()).toEqual({ conflicts: ['a'] });
	Object.defineProperty(inner, 'runOnTrial', { value: undefined });
	expect(environment.runOnTrial).toBeUndefined();
});

it('tells nothing more of changes to who has stopped listening', async () => {
	const inner = await temporaryEnvironment();
	const environment = new PersistedEnvironment(inner, () => Promise.resolve());
	const told: string[][] = [[], []];
	const [stop] = told.map((paths) => environment.onChange(({ path }) => paths.push(path)));
	stop?.();
	await environment.writeFile('a', '');
	await vi.waitFor(() => expect(told[1]).toHaveLength(1));
	expect(told[0]).toEqual([]);
});
