import { describe, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { type EnvironmentListener, SpareEnvironment } from '#page/spare-environment.ts';

interface Made {
	environment: ExecutionEnvironment;
	listener: EnvironmentListener;
	closed: boolean;
	commands: string[];
}

/** Computers that record how they were created; the first `failing` of them do not start. */
function computers(failing = 0) {
	const made: Made[] = [];
	const make = (listener: EnvironmentListener): Promise<ExecutionEnvironment> => {
		if (failing-- > 0) return Promise.reject(new Error('no frame'));
		const entry: Made = {
			environment: {
				exec: (command) => {
					entry.commands.push(command);
					return Promise.resolve({ stdout: '', stderr: '', exitCode: 0, timedOut: false, durationMs: 0 });
				},
				cleanup: () => Promise.resolve(void (entry.closed = true))
			} satisfies Partial<ExecutionEnvironment> as unknown as ExecutionEnvironment,
			listener,
			closed: false,
			commands: []
		};
		made.push(entry);
		return Promise.resolve(entry.environment);
	};
	return { made, spare: new SpareEnvironment(make) };
}

function owner() {
	const heard: string[] = [];
	const listener = {
		notice: (text: string) => void heard.push(text),
		crashed: (text: string) => void heard.push(text)
	};
	return { heard, listener };
}

describe('a computer made ready ahead', () => {
	it('is the one the first project gets, the next gets another', async () => {
		const { made, spare } = computers();
		spare.prepare();
		spare.prepare();
		expect(await spare.take(owner().listener)).toBe(made[0]?.environment);
		expect(await spare.take(owner().listener)).toBe(made[1]?.environment);
		expect(made).toHaveLength(2);
	});

	it('has run two commands at once where no one waits for it, and none where someone does', async () => {
		const { made, spare } = computers();
		spare.prepare();
		spare.prepareFully();
		await spare.take(owner().listener);
		spare.prepareFully();
		await spare.take(owner().listener);
		expect(made.map(({ commands }) => commands.length)).toEqual([0, 2]);
	});

	it('tells its project what it said before and what happens later', async () => {
		const { made, spare } = computers();
		spare.prepare();
		made[0]?.listener.notice('It can do less here.');
		const { heard, listener } = owner();
		await spare.take(listener);
		made[0]?.listener.crashed('out of memory');
		expect(heard).toEqual(['It can do less here.', 'out of memory']);
	});

	it('gives way to another when it was lost meanwhile', async () => {
		const { made, spare } = computers();
		spare.prepare();
		const taking = spare.take(owner().listener);
		made[0]?.listener.crashed('out of memory');
		expect(await taking).toBe(made[1]?.environment);
		expect(made[0]?.closed).toBe(true);
	});

	it('that could not be made ready is tried again when it is wanted', async () => {
		const { made, spare } = computers(1);
		spare.prepare();
		expect(await spare.take(owner().listener)).toBe(made[0]?.environment);
		const { spare: broken } = computers(2);
		broken.prepare();
		await expect(broken.take(owner().listener)).rejects.toThrow('no frame');
	});
});
