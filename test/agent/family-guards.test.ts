import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Guards, ProposalInfo } from '#agent/api.ts';
import { Budget } from '#agent/budget.ts';
import { FamilyGuards } from '#agent/family-guards.ts';
import { Family } from '#agent/family.ts';
import type { AskPermission, PermissionDecision, PermissionRequest } from '#agent/guards/permission-types.ts';
import { GuardRefusal, PermissionDenied } from '#agent/guards/refusals.ts';
import type { CommandExecution, CommandGrant, ProposedCommand } from '#agent/tool.ts';
import { ALL_RIGHTS } from '#environment/contract.ts';
import { inTime } from '../in-time.ts';

const change: ProposedCommand = { kind: 'execute', command: 'make', cwd: '.', description: 'Make', background: false };
const RULES = [{ kind: 'path' as const, pattern: 'src/**' }];
const request = { requestId: 'r', rules: RULES } as unknown as PermissionRequest;
const ended: CommandGrant = { kind: 'ended', result: { exitCode: 0 } as never };
const run: CommandGrant = { kind: 'run', rights: ALL_RIGHTS };

interface Question {
	signal: AbortSignal;
	answer(decision: PermissionDecision): void;
}

let family: Family;
let questions: Question[];
let listening: number;
let builds: number;
let judged: number;
/** Grants for commands that need no question. */
let grant: () => CommandGrant;
const controller = () => new AbortController();
const info = (signal = controller().signal): ProposalInfo => ({
	callId: 'c',
	agentId: 'main',
	toolName: 'shell',
	signal
});
beforeEach(() => {
	const budget = new Budget(
		() => ({}),
		() => undefined
	);
	family = new Family('ask', [], budget);
	[questions, listening, builds, judged, grant] = [[], 0, 0, 0, () => run];
	const onChange = family.onChange.bind(family);
	family.onChange = (listener) => {
		const leave = onChange(listener);
		listening += 1;
		return () => {
			if (leave() as unknown) listening -= 1;
		};
	};
});

const ask: AskPermission = (_, signal) =>
	new Promise((resolve, reject) => {
		questions.push({ signal, answer: resolve });
		signal.addEventListener('abort', () => reject(signal.reason as Error));
	});

/** Guards that allow by rules or in mode `full`, refuse in `plan` and ask otherwise. */
function guards(): FamilyGuards {
	const build = (rules: readonly unknown[], asking: AskPermission | undefined): Guards => {
		builds += 1;
		const propose: Guards['propose'] = async (_, { signal }) => {
			if (++judged > 100) throw new Error('It is decided without end.');
			if (family.mode === 'plan') throw new GuardRefusal('plan', 'Plan mode.');
			if (family.mode === 'fork') throw new TypeError('It broke.');
			if (rules.length > 0 || family.mode === 'full') return;
			if (!asking) throw new GuardRefusal('permission', 'Ask first.');
			const decision = await asking(request, signal);
			if (!decision.kind.startsWith('allow')) throw new PermissionDenied('Denied.');
		};
		return { propose, permitCommand: async (given, _, about) => (await propose(given, about), grant()) };
	};
	return new FamilyGuards(family, build, ask);
}
const asked = (count: number) => vi.waitFor(() => expect(questions).toHaveLength(count), { interval: 1 });
const propose = (own: FamilyGuards, signal?: AbortSignal) => inTime(own.propose(change, info(signal)), 'the decision');
const permit = (own: FamilyGuards, exec: Partial<CommandExecution> = {}, signal?: AbortSignal) =>
	inTime(own.permitCommand(change, exec as CommandExecution, info(signal)), 'the grant');

describe('a question', () => {
	it.each(['allow_session', 'allow_always'] as const)(
		'is asked each time until %s makes a rule of it',
		async (kind) => {
			const own = guards();
			const first = propose(own);
			await asked(1);
			questions[0]?.answer({ kind: 'allow_once' });
			await first;
			expect([family.rules, builds, judged]).toEqual([[], 2, 1]);
			const second = propose(own);
			await asked(2);
			questions[1]?.answer({ kind });
			await second;
			expect([family.rules, judged, builds]).toEqual([RULES, 2, 2]);
			await propose(own);
			expect([questions.length, listening]).toEqual([2, 0]);
		}
	);

	it('that is denied makes no rule', async () => {
		const denied = propose(guards());
		await asked(1);
		questions[0]?.answer({ kind: 'deny' });
		await expect(denied).rejects.toThrow('Denied.');
		expect([family.rules, listening]).toEqual([[], 0]);
	});

	it('ends with its run', async () => {
		const stop = controller();
		const proposed = propose(guards(), stop.signal);
		await asked(1);
		stop.abort(new Error('The user went.'));
		await expect(proposed).rejects.toThrow('The user went.');
		expect([questions.length, listening]).toEqual([1, 0]);
	});

	it.each(['full', 'plan', 'fork'] as const)('is withdrawn where the mode %s settles it', async (mode) => {
		const outcome = propose(guards()).then(
			() => 'allowed',
			(error: Error) => error.message
		);
		await asked(1);
		family.mode = mode;
		expect(await outcome).toBe({ full: 'allowed', plan: 'Plan mode.', fork: 'It broke.' }[mode]);
		expect(questions[0]?.signal.reason).toMatchObject({ name: 'QuestionWithdrawn' });
		expect([questions.length, listening]).toEqual([1, 0]);
	});

	it('stays open where the new mode asks too, and its answer counts', async () => {
		const proposed = propose(guards());
		await asked(1);
		family.mode = 'auto-edit';
		await vi.waitFor(() => expect(judged).toBe(2), { interval: 1 });
		await Promise.resolve();
		expect(questions[0]?.signal.aborted).toBe(false);
		questions[0]?.answer({ kind: 'allow_once' });
		await proposed;
		expect([questions.length, judged]).toEqual([1, 2]);
	});

	it.each(['allow_once', 'allow_session'] as const)(
		'answered by %s in the moment of a change is decided under the new mode',
		async (kind) => {
			const proposed = propose(guards());
			await asked(1);
			questions[0]?.answer({ kind });
			family.mode = 'plan';
			await expect(proposed).rejects.toThrow('Plan mode.');
		}
	);

	it('of guards that use a signal of their own is asked as it is', async () => {
		const own = new FamilyGuards(
			family,
			(_, asking) => ({ propose: async () => void (await asking?.(request, controller().signal)) }),
			ask
		);
		const proposed = propose(own);
		await asked(1);
		questions[0]?.answer({ kind: 'allow_always' });
		await proposed;
		expect([family.rules, listening]).toEqual([[], 0]);
	});
});

describe('a command', () => {
	it('that waits for an answer is tried again when the mode changes', async () => {
		const onRestart = vi.fn();
		const own = guards();
		const permitted = permit(own, { onRestart });
		await asked(1);
		family.mode = 'full';
		expect(await permitted).toBe(run);
		expect(onRestart).toHaveBeenCalledTimes(1);
		family.mode = 'ask';
		const plain = permit(own);
		await asked(2);
		family.mode = 'full';
		expect(await plain).toBe(run);
	});

	it('that is denied is not tried again', async () => {
		const permitted = permit(guards());
		await asked(1);
		questions[0]?.answer({ kind: 'deny' });
		await expect(permitted).rejects.toThrow('Denied.');
		expect(judged).toBe(1);
	});

	it('ends with its run, also where the mode changes then', async () => {
		const stop = controller();
		const permitted = permit(guards(), {}, stop.signal);
		await asked(1);
		family.mode = 'auto-edit';
		stop.abort(new Error('The user went.'));
		await expect(permitted).rejects.toThrow('The user went.');
		expect(questions).toHaveLength(1);
	});

	it.each([
		['has run is not run again', ended, 1],
		['may run is judged again', run, 2]
	])('that %s where the mode changes meanwhile', async (_, given, times) => {
		family.mode = 'full';
		grant = () => {
			if (judged === 1) family.mode = 'auto-edit';
			return given;
		};
		const own = guards();
		const permitted = permit(own);
		if (times === 2) {
			await asked(1);
			questions[0]?.answer({ kind: 'allow_once' });
		}
		expect(await permitted).toBe(given);
		expect(judged).toBe(times);
	});
});
