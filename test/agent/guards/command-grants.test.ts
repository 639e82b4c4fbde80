import { describe, expect, it, vi } from 'vitest';
import type { GuardOptions, ProposalInfo } from '#agent/api.ts';
import { permitCommand, type PermissionQuestion } from '#agent/guards/command-permission.ts';
import type { PermissionRule } from '#agent/guards/permission-rules.ts';
import type { PermissionMode } from '#agent/guards/permission-types.ts';
import type { CommandExecution } from '#agent/tool.ts';
import {
	ALL_RIGHTS,
	READ_ONLY_RIGHTS,
	type Effects,
	type ExecOptions,
	type ExecResult
} from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';

const NOTHING: Effects = { files: [], hosts: [], servers: [], signals: [], leftRunning: [], unnamed: false };
const RESULT: ExecResult = { stdout: 'out', stderr: 'err', exitCode: 0, timedOut: false, durationMs: 1 };
const SERVER: PermissionRule = { kind: 'server', pattern: 'background' };

interface Setting {
	mode?: PermissionMode;
	/** Effects of each trial run in turn; if absent, the environment runs none. */
	trials?: Partial<Effects>[];
	rules?: PermissionRule[];
	command?: string;
	background?: boolean;
	conflicts?: string[];
	exec?: Partial<CommandExecution>;
	/** Outcome of a command that the environment runs directly. */
	run?: () => Promise<ExecResult>;
	isStopped?: boolean;
}

/** Requests permission for a command; every question is answered with yes. */
async function permit(setting: Setting) {
	const { mode = 'ask', trials, rules = [], command = 'make', conflicts = [] } = setting;
	const questions: PermissionQuestion[] = [];
	const tried: ExecOptions[] = [];
	const executed: unknown[][] = [];
	const environment = {
		workingDirectory: () => '/w',
		stat: () => Promise.reject(new EnvironmentError('ENOENT', 'not there')),
		exec: (...args: unknown[]) => (executed.push(args), setting.run?.() ?? Promise.resolve(RESULT)),
		...(trials
			? {
					runOnTrial: (_: string, options: ExecOptions) => {
						tried.push(options);
						const effects = { ...NOTHING, ...trials.shift() };
						return Promise.resolve({
							result: RESULT,
							effects,
							read: () => Promise.resolve(null),
							apply: () =>
								Promise.resolve({ merged: [], conflicts: conflicts.map((path) => ({ path: `/w/${path}` })) }),
							discard: () => Promise.resolve()
						});
					}
				}
			: {})
	};
	const options = { environment, mode: () => mode } as unknown as GuardOptions;
	const controller = new AbortController();
	if (setting.isStopped) controller.abort();
	const info: ProposalInfo = { callId: 'c', agentId: 'a', toolName: 't', signal: controller.signal };
	const ask = (question: PermissionQuestion) => Promise.resolve(void questions.push(question));
	const change = {
		kind: 'execute' as const,
		command,
		cwd: '/w',
		description: `Run ${command}`,
		background: setting.background ?? false
	};
	const grant = permitCommand({ options, rules, ask }, change, { line: `set -e; ${command}`, ...setting.exec }, info);
	return { grant: await grant, questions, tried, executed };
}

const changed: Partial<Effects> = { files: [{ path: '/w/a', kind: 'modified' }] };

describe('a command that runs on trial', () => {
	it('is over with its result where it was stopped meanwhile, whatever it did', async () => {
		const { grant, questions } = await permit({ trials: [{ ...changed, hosts: ['a.example'] }], isStopped: true });
		expect(grant).toEqual({ kind: 'ended', result: RESULT });
		expect(questions).toEqual([]);
	});

	it('names the files that changed meanwhile, to the model and in what is shown', async () => {
		const onOutput = vi.fn();
		const setting = { trials: [changed], conflicts: ['a', 'src/b'] };
		const note = '\n[These files changed while the command ran, and were left as they are now: a, src/b]\n';
		const { grant, questions } = await permit({ ...setting, trials: [changed], exec: { onOutput } });
		expect(grant).toEqual({ kind: 'ended', result: { ...RESULT, stderr: `err${note}` } });
		expect(onOutput).toHaveBeenCalledExactlyOnceWith({ stream: 'stderr', data: note });
		expect(questions[0]?.reason).toBe('The present mode asks before a command changes or reaches anything.');
		expect((await permit({ ...setting, trials: [changed] })).grant.kind).toBe('ended');
	});

	it('may signal other processes only where it wanted to', async () => {
		const signals = [{ pid: 7, command: 'vite', signal: 'SIGTERM' }] as unknown as Effects['signals'];
		expect((await permit({ trials: [{ signals }] })).grant).toEqual({ kind: 'run', rights: ALL_RIGHTS });
		expect((await permit({ trials: [{ servers: [5_173] }] })).grant).toEqual({
			kind: 'run',
			rights: { ...ALL_RIGHTS, signal: 'own' }
		});
	});

	it('is tried with the hosts of rules, without network permissions of the session too', async () => {
		const rules: PermissionRule[] = [{ kind: 'host', pattern: 'a.example' }, SERVER];
		const { tried } = await permit({ trials: [{}], rules });
		expect(tried[0]?.rights).toEqual({ ...READ_ONLY_RIGHTS, network: ['a.example'] });
	});

	it('is given up with the hosts it asked for, where they are others each time', async () => {
		const trials = ['a', 'b', 'c', 'd', 'e'].map((host) => ({ hosts: [`${host}.example`] }));
		const onRestart = vi.fn();
		await expect(permit({ trials: [...trials], exec: { onRestart } })).rejects.toMatchObject({
			guard: 'permission',
			message: 'It asks for other hosts each time it runs: a.example, b.example, c.example.'
		});
		expect(onRestart).toHaveBeenCalledTimes(3);
		await expect(permit({ trials: [...trials] })).rejects.toThrow('It asks for other hosts');
	});
});

describe('a command that is to keep running', () => {
	it('may write caches of servers, reach hosts of rules and signal its own processes under a rule', async () => {
		const rules: PermissionRule[] = [SERVER, { kind: 'host', pattern: 'a.example' }];
		const { grant, questions } = await permit({ trials: [], rules, background: true });
		const caches = ['node_modules/.vite', 'node_modules/.cache', 'node_modules/.vitest', '.vite', '.next/cache'];
		expect(grant).toEqual({
			kind: 'run',
			rights: { write: ['/tmp', ...caches.map((path) => `/w/${path}`)], network: ['a.example'], signal: 'own' }
		});
		expect(questions).toEqual([]);
	});

	it('is asked about without a rule for servers, and where nothing runs on trial', async () => {
		const asked = {
			action: 'execute',
			command: 'make',
			description: 'Run make',
			reason: 'The present mode asks before a command keeps running, which cannot be tried first.',
			next: 'run'
		};
		const other: PermissionRule[] = [{ kind: 'path', pattern: 'src/**' }];
		const limited = await permit({ trials: [], rules: other, background: true });
		expect(limited.grant).toEqual({ kind: 'run', rights: { ...ALL_RIGHTS, signal: 'own' } });
		expect(limited.questions).toEqual([{ ...asked, rules: [SERVER] }]);
		const without = await permit({ rules: [SERVER], background: true });
		expect(without.grant).toEqual({ kind: 'run', rights: ALL_RIGHTS });
		expect(without.questions).toEqual([{ ...asked, rules: [] }]);
	});
});

describe('a command in the mode plan', () => {
	const refusal = (effects: string) => ({
		guard: 'mode',
		message: `Plan mode: nothing is changed or run. This command would ${effects}. Describe what you would do; the user decides when to start.`
	});

	it('gives its result where it only reads', async () => {
		expect((await permit({ mode: 'plan', trials: [{}] })).grant).toEqual({ kind: 'ended', result: RESULT });
		const { grant, executed } = await permit({ mode: 'plan', exec: { cwd: '/w/src' } });
		expect(grant).toEqual({ kind: 'ended', result: RESULT });
		expect(executed).toEqual([['set -e; make', { line: 'set -e; make', cwd: '/w/src', rights: READ_ONLY_RIGHTS }]]);
	});

	it('is refused with what it would do', async () => {
		const files = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({ path: `/w/${name}`, kind: 'added' as const }));
		await expect(permit({ mode: 'plan', trials: [{ files, hosts: ['a.example'] }] })).rejects.toMatchObject(
			refusal('change a, b, c, d, e and 2 more, reach a.example')
		);
		await expect(permit({ mode: 'plan', trials: [{ unnamed: true }] })).rejects.toMatchObject(
			refusal('do more than read')
		);
		await expect(permit({ mode: 'plan', trials: [], background: true })).rejects.toMatchObject(refusal('keep running'));
	});

	it('runs where nothing can hold it back only if it is harmless', async () => {
		const run = () => Promise.reject(new EnvironmentError('EUNAVAILABLE', 'no sandbox'));
		expect((await permit({ mode: 'plan', command: 'ls', run })).grant).toEqual({ kind: 'run', rights: ALL_RIGHTS });
		await expect(permit({ mode: 'plan', run })).rejects.toMatchObject(refusal('run where nothing holds it back'));
		for (const error of [new EnvironmentError('ENOENT', 'no shell'), new TypeError('bug')])
			await expect(permit({ mode: 'plan', command: 'ls', run: () => Promise.reject(error) })).rejects.toBe(error);
	});
});
