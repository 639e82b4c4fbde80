import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Guards } from '#agent/api.ts';
import { createGuards } from '#agent/guards/guards.ts';
import type { PermissionRule } from '#agent/guards/permission-rules.ts';
import type { PermissionDecision } from '#agent/guards/permission-types.ts';
import { GuardRefusal } from '#agent/guards/refusals.ts';
import type { Snapshot } from '#environment/contract.ts';
import { createWasmEnvironment } from '#computer/host/environment.ts';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import { memoryState } from '#test/contract/tools/harness.ts';
import { RULES, type Step } from './always-allow/rules.ts';

const SET_UP = [
	'git init -q . && git config user.name n && git config user.email e@x && git remote add origin https://evil.example/r.git && mkdir -p .git/hooks .git/info',
	'echo one > a.txt && git add . && git commit -qm first && echo two > a.txt && git commit -qam second'
].join('\n');

let sandbox: WasmExecutionEnvironment;
let start: Snapshot;
const reached: string[] = [];
beforeAll(async () => {
	sandbox = createWasmEnvironment({
		egress: ({ url }) => {
			reached.push(new URL(url).host);
			return Promise.reject(Object.assign(new Error('no network'), { code: 'ECONNREFUSED' }));
		}
	});
	await sandbox.initialize();
	await sandbox.exec(SET_UP);
	start = await sandbox.snapshot();
});
afterAll(() => sandbox.cleanup());
beforeEach(async () => {
	await sandbox.restore(start);
	await sandbox.exec('rm -rf ~/.bashrc');
});

/** A session in the mode ask, with the rules created by its answers. */
class Asking {
	readonly rules: PermissionRule[] = [];
	readonly #guards: Guards;
	#answer: PermissionDecision = { kind: 'allow_always' };
	#asked = 0;

	constructor() {
		this.#guards = createGuards({
			environment: sandbox,
			state: memoryState(),
			mode: () => 'ask',
			readBeforeWrite: () => 'off',
			allowRules: [],
			onAllowRule: (rule) => this.rules.push(rule),
			ask: () => {
				this.#asked++;
				return Promise.resolve(this.#answer);
			}
		});
	}

	/** Runs a step. Returns whether the user was asked. */
	async takes(step: Step, answer: PermissionDecision): Promise<boolean> {
		const info = { callId: 'call', agentId: 'main', toolName: 'Bash', signal: new AbortController().signal };
		const cwd = sandbox.workingDirectory();
		const change = { kind: 'execute' as const, cwd, description: 'Run' };
		this.#answer = answer;
		this.#asked = 0;
		try {
			if (typeof step === 'object' && 'typed' in step) {
				await this.#guards.propose({ ...change, command: step.command, input: step.typed }, info);
				return this.#asked > 0;
			}
			const line = typeof step === 'string' ? step : step.background;
			const command = { ...change, command: line, background: typeof step !== 'string' };
			const exec = { line, cwd, timeoutMs: 20_000 };
			const grant = await this.#guards.permitCommand?.(command, exec, info);
			if (grant?.kind === 'run' && this.#asked === 0) await sandbox.exec(line, { ...exec, rights: grant.rights });
		} catch (error) {
			if (!(error instanceof GuardRefusal)) throw error;
		}
		return this.#asked > 0;
	}
}

const ALWAYS: PermissionDecision = { kind: 'allow_always' };
const NO: PermissionDecision = { kind: 'deny_explain', explanation: 'No.' };

describe(`"always allow", ${RULES.length} rules`, () => {
	it.each(RULES)('for $title covers that and nothing else', async ({ first, rule, covers, asks, holds = [] }) => {
		const session = new Asking();
		expect(await session.takes(first, ALWAYS)).toBe(true);
		expect(session.rules).toEqual([rule]);
		for (const step of covers) expect([step, await session.takes(step, NO)]).toEqual([step, false]);
		const before = await everything();
		reached.length = 0;
		for (const step of asks) expect([step, await session.takes(step, NO)]).toEqual([step, true]);
		for (const step of holds) expect([step, await session.takes(step, NO)]).toEqual([step, false]);
		expect(await everything()).toBe(before);
		expect(reached.filter((host) => host !== rule.pattern)).toEqual([]);
		expect(session.rules).toEqual([rule]);
	});
});

/** All files of project and home as one string. */
async function everything(): Promise<string> {
	const { id } = await sandbox.snapshot();
	return `${id} ${(await sandbox.exec('find ~ -type f -exec sha1sum {} + | sort')).stdout}`;
}
