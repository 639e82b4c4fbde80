import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GuardOptions } from '#agent/api.ts';
import { createGuards } from '#agent/guards/guards.ts';
import type { PermissionDecision, PermissionMode, PermissionRequest } from '#agent/guards/permission-types.ts';
import type { PermissionRule } from '#agent/guards/permission-rules.ts';
import { PermissionDenied } from '#agent/guards/refusals.ts';
import type { ProposedCommand } from '#agent/tool.ts';
import type { Effects, ExecOptions, ExecutionEnvironment, Trial } from '#environment/contract.ts';
import { ALL_RIGHTS, READ_ONLY_RIGHTS } from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';
import { DelegatingEnvironment } from '#environment/wrappers/delegating.ts';
import { createHarness, memoryState } from '#test/contract/tools/harness.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';

const NOTHING: Effects = { files: [], hosts: [], servers: [], signals: [], leftRunning: [], unnamed: false };

let base: ExecutionEnvironment;
beforeEach(async () => {
	base = await createTemporary({ confinement: null });
});
afterEach(async () => {
	await base.cleanup();
	await removeTemporary();
});

/** One trial run as reported by the environment. */
interface Script {
	effects?: Partial<Effects>;
	output?: string;
	exitCode?: number;
	before?: Record<string, string>;
	after?: Record<string, string>;
	conflicts?: boolean;
}

/** An environment with scripted trial runs, which records what happened to them. */
class ScriptedTrials extends DelegatingEnvironment {
	readonly log: string[] = [];
	readonly rights: ExecOptions['rights'][] = [];

	constructor(
		inner: ExecutionEnvironment,
		private readonly scripts: Script[]
	) {
		super(inner);
	}

	override get runOnTrial() {
		return async (command: string, options: ExecOptions = {}): Promise<Trial> => {
			const script = this.scripts.shift() ?? {};
			this.log.push(`try ${command}`);
			this.rights.push(options.rights);
			options.onOutput?.({ stream: 'stdout', data: script.output ?? '' });
			const { exitCode = 0 } = script;
			const root = `${this.workingDirectory()}/`;
			const effects = { ...NOTHING, ...script.effects };
			const text = (of: Record<string, string> | undefined, path: string) => {
				const found = of?.[path.replace(root, '')];
				return Promise.resolve(found === undefined ? null : new TextEncoder().encode(found));
			};
			return {
				result: { stdout: '', stderr: '', exitCode, timedOut: false, durationMs: 1 },
				effects: { ...effects, files: effects.files.map((file) => ({ ...file, path: root + file.path })) },
				read: (path, side) => text(side === 'before' ? script.before : script.after, path),
				apply: () => {
					this.log.push('apply');
					const files = effects.files.map((file) => ({ ...file, path: root + file.path }));
					return Promise.resolve({ merged: files, conflicts: script.conflicts ? files : [] });
				},
				discard: () => Promise.resolve(void this.log.push('discard'))
			};
		};
	}

	override exec(command: string, options: ExecOptions = {}) {
		this.log.push(`run ${command}`);
		this.rights.push(options.rights);
		return super.exec(command, options);
	}

	override start(command: string, options: ExecOptions = {}) {
		this.log.push(`start ${command}`);
		this.rights.push(options.rights);
		return super.start(command, { ...options, rights: undefined });
	}
}

function guarded(
	mode: PermissionMode,
	scripts: Script[],
	answer?: PermissionDecision,
	options: Partial<GuardOptions> = {}
) {
	const environment = new ScriptedTrials(base, scripts);
	const requests: PermissionRequest[] = [];
	const remembered: PermissionRule[] = [];
	const state = memoryState();
	const ask = (request: PermissionRequest) => {
		requests.push(request);
		return Promise.resolve(answer!);
	};
	const guards = createGuards({
		environment,
		state,
		mode: () => mode,
		readBeforeWrite: () => 'off',
		allowRules: [],
		onAllowRule: (rule) => remembered.push(rule),
		...(answer ? { ask } : {}),
		...options
	});
	const info = { callId: 'call', agentId: 'main', toolName: 'tool', signal: new AbortController().signal };
	const { call } = createHarness(environment, {
		state,
		propose: (change) => guards.propose(change, info),
		permitCommand: (change, exec) => guards.permitCommand!(change, exec, info)
	});
	return { call, requests, remembered, log: environment.log, rights: environment.rights };
}

const changed = (...paths: string[]): Partial<Effects> => ({
	files: paths.map((path) => ({ path, kind: 'modified' as const }))
});
const ONCE: PermissionDecision = { kind: 'allow_once' };

describe('a command in the mode ask', () => {
	it.each(['bash', 'shell'])('that wanted nothing on trial is not asked about and not run again (%s)', async (tool) => {
		const { call, requests, log, rights } = guarded('ask', [{ output: '34 tests passed\n' }], ONCE);
		const result = await call(tool, { command: 'npm test' });
		expect(result.content).toContain('34 tests passed');
		expect(requests).toEqual([]);
		expect(log).toEqual(['try npm test', 'discard']);
		expect(rights).toEqual([READ_ONLY_RIGHTS]);
	});

	it('is asked about by its effects, with diff and result, and applied without a second run', async () => {
		const script = { effects: changed('src/a.ts'), before: { 'src/a.ts': 'old\n' }, after: { 'src/a.ts': 'new\n' } };
		const { call, requests, log } = guarded('ask', [{ ...script, exitCode: 3, output: 'done' }], ONCE);
		const result = await call('shell', { command: 'npx prettier -w .' });
		expect(requests).toHaveLength(1);
		expect(requests[0]).toMatchObject({
			action: 'execute',
			command: 'npx prettier -w .',
			next: 'apply',
			rules: [{ kind: 'path', pattern: 'src/**' }],
			effects: {
				files: [
					{ path: 'src/a.ts', kind: 'modified', added: 1, removed: 1, diff: expect.stringContaining('-old\n+new') }
				],
				result: { exitCode: 3, timedOut: false }
			}
		});
		expect(log).toEqual(['try npx prettier -w .', 'apply', 'discard']);
		expect(result.content).toContain('[Exit code: 3]');
	});

	it('changes nothing when it is denied', async () => {
		const { call, log } = guarded('ask', [{ effects: changed('a') }], { kind: 'deny' });
		await expect(call('bash', { command: 'touch a' })).rejects.toBeInstanceOf(PermissionDenied);
		expect(log).toEqual(['try touch a', 'discard']);
	});

	it('is refused with a sentence without a user to ask, and changes nothing', async () => {
		const { call, log } = guarded('ask', [{ effects: changed('a') }]);
		expect(await call('bash', { command: 'touch a' })).toMatchObject({ isError: true });
		expect(log).toEqual(['try touch a', 'discard']);
	});

	it('names what conflicts, which stays as it is', async () => {
		const { call } = guarded('ask', [{ effects: changed('a'), conflicts: true, output: 'x\n' }], ONCE);
		expect((await call('shell', { command: 'c' })).content).toMatch(/changed while the command ran.*: a\]/);
	});

	it('runs on trial again with the hosts that were allowed, for that command alone', async () => {
		const allowed: string[][] = [];
		const release = vi.fn();
		const scripts = [
			{ effects: { hosts: ['registry.npmjs.org'] }, output: 'failed' },
			{ effects: changed('src/a.ts'), output: 'installed' },
			{ effects: { hosts: ['registry.npmjs.org'] } },
			{}
		];
		const network = {
			allowed: () => ['github.com'],
			allow: (hosts: readonly string[]) => (allowed.push([...hosts]), release)
		};
		const { call, requests, log, rights } = guarded('ask', scripts, ONCE, { network });
		const result = await call('shell', { command: 'npm i x' });
		expect(requests.map(({ next, effects }) => [next, effects?.hosts])).toEqual([
			['retry', ['registry.npmjs.org']],
			['apply', []]
		]);
		expect(requests[0]?.rules).toEqual([{ kind: 'host', pattern: 'registry.npmjs.org' }]);
		expect(log).toEqual(['try npm i x', 'discard', 'try npm i x', 'apply', 'discard']);
		expect(rights.map((one) => one?.network)).toEqual([['github.com'], ['registry.npmjs.org', 'github.com']]);
		expect(result.content).toBe('installed');
		expect(allowed).toEqual([[], ['registry.npmjs.org']]);
		expect(release).toHaveBeenCalledTimes(2);
		await call('shell', { command: 'npm i y' });
		expect(requests).toHaveLength(3);
	});

	it('installs packages with the one question about their host, and asks about all else', async () => {
		const host = { effects: { hosts: ['registry.npmjs.org'] } };
		const installed = ['node_modules/x/index.js', 'node_modules/.bin/x', 'package-lock.json', 'package.json'];
		const manifest = { before: { 'package.json': '{}' }, after: { 'package.json': '{"dependencies":{"x":"1"}}' } };
		const planted = { 'package.json': '{"scripts":{"postinstall":"x"}}' };
		const scripts = [
			host,
			{ effects: changed(...installed), ...manifest },
			host,
			{
				effects: changed('node_modules/x/index.js', 'src/a.ts', 'package.json'),
				before: manifest.before,
				after: planted
			},
			{ effects: changed('node_modules/x/index.js') }
		];
		const { call, requests } = guarded('ask', scripts, ONCE);
		await call('shell', { command: 'npm i x' });
		expect(requests.map(({ next }) => next)).toEqual(['retry']);
		expect(requests[0]?.reason).toMatch(/node_modules, lockfiles, dependencies in package\.json/);
		await call('shell', { command: 'npm i y' });
		expect(requests.slice(1).map(({ next, effects }) => [next, effects?.files.map(({ path }) => path)])).toEqual([
			['retry', []],
			['apply', ['src/a.ts', 'package.json']]
		]);
		await call('shell', { command: 'node patch.js' });
		expect(requests[3]).toMatchObject({ next: 'apply', reason: expect.not.stringContaining('lockfiles') as string });
	});

	it('that asks for another host each time is given up', async () => {
		const scripts = Array.from({ length: 9 }, (_, at) => ({ effects: { hosts: [`h${at}.example`] } }));
		const { call, log } = guarded('ask', scripts, ONCE);
		expect(await call('bash', { command: 'c' })).toMatchObject({ isError: true });
		expect(log.filter((line) => line.startsWith('try'))).toHaveLength(4);
	});

	it('that serves is run for real once that is allowed, and its trial is dropped', async () => {
		// Only a sandbox limits a command to less than full rights.
		await base.cleanup();
		base = await createTemporary();
		const { call, requests, log, rights } = guarded(
			'ask',
			[{ effects: { servers: [5173] }, output: 'of the trial' }],
			ONCE
		);
		const result = await call('shell', { command: 'echo real' });
		expect(requests[0]).toMatchObject({ next: 'run', rules: [], effects: { servers: [5173] } });
		expect(log).toEqual(['try echo real', 'discard', 'run echo real']);
		expect(rights[1]).toMatchObject({ write: 'all', signal: 'own' });
		expect(result.content).toBe('real\n');
	});

	it('that is to keep running is asked about first, and a rule gives it rights to caches only', async () => {
		const asked = guarded('ask', [], { kind: 'allow_always' });
		await asked.call('shell', { command: 'true', run_in_background: true });
		expect(asked.requests[0]).toMatchObject({ next: 'run', rules: [{ kind: 'server', pattern: 'background' }] });
		expect(asked.requests[0]?.effects).toBeUndefined();
		const later = guarded('ask', [], ONCE, { allowRules: asked.remembered });
		await later.call('shell', { command: 'true', run_in_background: true });
		expect(later.requests).toEqual([]);
		expect(later.rights[0]).toMatchObject({ network: [], signal: 'own' });
		expect(later.rights[0]?.write).not.toContain(base.workingDirectory());
		expect(later.rights[0]?.write).not.toBe('all');
	});

	it('is covered by rules about effects, and by none about its text', async () => {
		const scripts = [
			{ effects: changed('src/a.ts') },
			{ effects: changed('src/a.ts', 'other/b') },
			{ effects: changed('.git/objects/ab/cd', '.git/refs/heads/main') },
			{ effects: changed('.git/hooks/pre-commit') },
			{ effects: changed('src/.npmrc') }
		];
		const allowRules: PermissionRule[] = [
			{ kind: 'path', pattern: 'src/**' },
			{ kind: 'git', pattern: 'history' },
			{ kind: 'input', pattern: 'c' }
		];
		const { call, requests } = guarded('ask', scripts, ONCE, { allowRules });
		for (let at = 0; at < 5; at++) await call('bash', { command: 'c' });
		expect(requests.map(({ rules, effects }) => [effects?.files.map(({ path }) => path), rules])).toEqual([
			[['other/b'], [{ kind: 'path', pattern: 'other/**' }]],
			[['.git/hooks/pre-commit'], []],
			[['src/.npmrc'], []]
		]);
	});

	it('is never covered by a rule for servers it starts, for signals, for what it leaves running, nor for what has no name', async () => {
		const effects: Partial<Effects>[] = [
			{ servers: [5173] },
			{ signals: [{ pid: 7, signal: 'SIGTERM', command: 'node server.js' }] },
			{ leftRunning: ['sleep 1000'] },
			{ unnamed: true }
		];
		const allowRules = (['path', 'host', 'git', 'server', 'input'] as const).map((kind) => ({ kind, pattern: '**' }));
		const { call, requests } = guarded(
			'ask',
			effects.map((one) => ({ effects: one })),
			ONCE,
			{ allowRules }
		);
		for (let at = 0; at < 4; at++) await call('bash', { command: 'true' });
		expect(requests.map(({ next, rules }) => [next, rules])).toEqual([
			['run', []],
			['run', []],
			['run', []],
			['run', []]
		]);
	});
});

describe('a command in the mode auto-edit', () => {
	it('may change the project, and is asked about for the rest', async () => {
		const scripts = [
			{ effects: changed('src/a.ts', 'node_modules/x/.npmrc') },
			{ effects: changed('.github/workflows/ci.yml') },
			{
				effects: changed('package.json'),
				before: { 'package.json': '{}' },
				after: { 'package.json': '{"scripts":{"test":"x"}}' }
			},
			{ effects: { hosts: ['a.example'] } },
			{}
		];
		const { call, requests, log } = guarded('auto-edit', scripts, ONCE);
		for (let at = 0; at < 4; at++) await call('bash', { command: 'c' });
		expect(requests.map(({ next, rules }) => [next, rules])).toEqual([
			['apply', []],
			['apply', []],
			['retry', [{ kind: 'host', pattern: 'a.example' }]]
		]);
		expect(log.slice(0, 3)).toEqual(['try c', 'apply', 'discard']);
	});
});

describe('a command in the mode plan', () => {
	it('is run on trial and gives its result where it wanted nothing', async () => {
		const { call, requests } = guarded('plan', [{ output: 'on branch main\n' }], ONCE);
		expect((await call('bash', { command: 'git status' })).content).toContain('on branch main');
		expect(requests).toEqual([]);
	});

	it.each<[string, Partial<Effects>, RegExp]>([
		['files', changed('a', 'b'), /would change a, b/],
		['hosts', { hosts: ['a.example'] }, /would reach a\.example/],
		['more files than it names', changed('a', 'b', 'c', 'd', 'e', 'f', 'g'), /would change a, b, c, d, e and 2 more/],
		['as many as it names', changed('a', 'b', 'c', 'd', 'e'), /would change a, b, c, d, e(?! and)/],
		['a server', { servers: [80] }, /would start a server on port 80/],
		['a signal', { signals: [{ pid: 7, signal: 'SIGTERM', command: 'npm start' }] }, /would signal npm start/],
		['to stay', { leftRunning: ['node a.js', 'node b.js'] }, /would leave node a\.js, node b\.js running/],
		['several things', { hosts: ['a.example'], leftRunning: ['sleep'] }, /would reach a\.example, leave sleep running/],
		['what cannot be named', { unnamed: true }, /would do more than read/]
	])('is refused where it wanted %s, whatever rules say', async (_, effects, sentence) => {
		const allowRules = (['path', 'host', 'git', 'server', 'input'] as const).map((kind) => ({ kind, pattern: '**' }));
		const { call, requests, log } = guarded('plan', [{ effects }], ONCE, { allowRules });
		const result = await call('bash', { command: 'c' });
		expect(result).toMatchObject({ isError: true, content: expect.stringMatching(sentence) });
		expect(requests).toEqual([]);
		expect(log).toEqual(['try c', 'discard']);
	});

	it('does not start in the background', async () => {
		const { call, log } = guarded('plan', [], ONCE);
		expect((await call('shell', { command: 'c', run_in_background: true })).isError).toBe(true);
		expect(log).toEqual([]);
	});
});

describe('a command in the mode full', () => {
	it('runs at once, with all rights', async () => {
		const { call, log, requests } = guarded('full', [], ONCE);
		await call('bash', { command: 'echo x' });
		expect(log).toEqual(['run echo x']);
		expect(requests).toEqual([]);
	});
});

describe('a command where none can be tried first', () => {
	const unheld = () => Promise.reject(new EnvironmentError('EUNAVAILABLE', 'Nothing enforces rights here.'));

	/** Requests permission for a command in an environment without trial runs. */
	async function decide(mode: PermissionMode, command: string, more: Partial<ProposedCommand> = {}) {
		const requests: PermissionRequest[] = [];
		const info = { callId: 'call', agentId: 'main', toolName: 'tool', signal: new AbortController().signal };
		const guards = createGuards({
			environment: { workingDirectory: () => '/work', exec: unheld } as unknown as ExecutionEnvironment,
			state: memoryState(),
			mode: () => mode,
			readBeforeWrite: () => 'off',
			allowRules: [],
			ask: (request) => (requests.push(request), Promise.resolve(ONCE))
		});
		const change = {
			kind: 'execute' as const,
			command,
			cwd: '/work',
			description: `Run ${command}`,
			background: false,
			...more
		};
		const grant = await guards.permitCommand!(change, { line: command, options: {} } as never, info);
		return { grant, requests };
	}
	const run = { kind: 'run', rights: ALL_RIGHTS };

	it.each(['full', 'fork'] as const)('runs unasked in the mode %s', async (mode) => {
		expect(await decide(mode, 'make')).toEqual({ grant: run, requests: [] });
	});

	it.each(['ask', 'auto-edit'] as const)('is asked about in the mode %s unless it only reads', async (mode) => {
		expect(await decide(mode, 'ls src')).toEqual({ grant: run, requests: [] });
		const { grant, requests } = await decide(mode, 'make');
		expect(grant).toEqual(run);
		expect(requests).toMatchObject([
			{
				action: 'execute',
				command: 'make',
				description: 'Run make',
				reason: expect.stringContaining('a command runs, which cannot be tried first here'),
				next: 'run'
			}
		]);
	});

	it('is refused in the mode plan unless it only reads', async () => {
		expect(await decide('plan', 'ls src')).toEqual({ grant: run, requests: [] });
		await expect(decide('plan', 'make')).rejects.toThrow('run where nothing holds it back');
	});
});
