import { describe, expect, it, vi } from 'vitest';
import { MemoryLog, suggestTitle, type Session } from '../../src/agent/index.ts';
import type { SessionEvent } from '../../src/agent/events.ts';
import type { PermissionDecision, PermissionRequest } from '../../src/agent/guards/permission-types.ts';
import { createGuards } from '../../src/agent/guards/guards.ts';
import type { CreateGuards } from '../../src/agent/api.ts';
import type { SubagentHost } from '../../src/agent/tool.ts';
import { fakeSession, ofType, temporaryEnvironment, untilEvent } from './fake-session.ts';
import { FakeClient, type FakeTurn } from './fake-client.ts';
import { fakeProfile, fakeTool } from './fake-tools.ts';

/** Ids of the subagents started, in order. */
let started: string[] = [];
const spawn = fakeTool(
	'spawn_agent',
	async ({ task, overlay, model }, { agents }) => {
		const { agentId } = await (agents as SubagentHost).spawn({
			task: String(task),
			overlay: overlay === true,
			...(model === undefined ? {} : { model: String(model) })
		});
		started.push(agentId);
		return agentId;
	},
	'none'
);
const wait = fakeTool(
	'wait',
	async ({ nth }, { agents, signal }) => {
		const { output, success } = await (agents as SubagentHost).wait(started[Number(nth)] ?? '', signal);
		return `${success} ${output}`;
	},
	'none'
);
const write = fakeTool(
	'write',
	async ({ text }, { environment, propose }) => {
		const after = new TextEncoder().encode(String(text));
		await propose({ kind: 'write', path: 'src/out.txt', before: null, after, description: 'Write src/out.txt' });
		await environment.writeFile('src/out.txt', after);
		return 'written';
	},
	'write'
);
const run = fakeTool(
	'run',
	async (_, { propose }) => {
		await propose({ kind: 'execute', command: 'make all', cwd: '.', description: 'Run make all' });
		return 'ran';
	},
	'write'
);
const look = fakeTool('look', () => 'nothing new', 'read');
const profile = fakeProfile([spawn, wait, write, run, look]);

const spawns = (task: string, more: Record<string, unknown> = {}): FakeTurn => ({
	calls: [{ name: 'spawn_agent', arguments: { task, ...more } }]
});
const waits = (nth = 0): FakeTurn => ({ calls: [{ name: 'wait', arguments: { nth } }] });
const calls = (name: string, args: Record<string, unknown> = {}): FakeTurn => ({ calls: [{ name, arguments: args }] });
const costs = (turn: FakeTurn, costUsd: number | null): FakeTurn => ({ ...turn, usage: { costUsd } });

/** Events of subagents at every depth. */
const nestedIn = (seen: readonly SessionEvent[]): SessionEvent[] =>
	ofType(seen, 'subagent_event').map(({ event }) => {
		let inner = event;
		while (inner.type === 'subagent_event') inner = inner.event;
		return inner;
	});
const resultsOf = (seen: readonly SessionEvent[], tool: string): string[] =>
	ofType(nestedIn(seen), 'tool_call_end')
		.filter(({ toolName }) => toolName === tool)
		.map(({ output }) => output);

const taskRequests = (client: FakeClient, task: string): number =>
	client.requests.filter(({ messages }) => JSON.stringify(messages[0]).includes(task)).length;

/** A user whose answers the test gives. */
class Desk {
	readonly requests: PermissionRequest[] = [];
	readonly #answers: ((decision: PermissionDecision) => void)[] = [];

	readonly ask = (request: PermissionRequest, signal: AbortSignal): Promise<PermissionDecision> =>
		new Promise((resolve, reject) => {
			this.requests.push(request);
			this.#answers.push(resolve);
			signal.addEventListener('abort', () => reject(signal.reason as Error));
		});

	answer(nth: number, decision: PermissionDecision): void {
		this.#answers[nth]?.(decision);
	}

	async until(count: number): Promise<void> {
		await vi.waitFor(() => expect(this.requests).toHaveLength(count), { interval: 1 });
	}
}

async function family(
	tasks: Record<string, FakeTurn[]>,
	options: Parameters<typeof fakeSession>[1],
	turns: FakeTurn[]
) {
	started = [];
	const client = new FakeClient(turns, { tasks });
	return fakeSession([], { profile, client, ...options });
}

describe('the mode of a family', () => {
	it('reaches a subagent at work, and its own subagents, with their next step', async () => {
		let session: Session | undefined;
		const toPlan = (): void => session?.setMode('plan');
		const fake = await family(
			{
				Middle: [spawns('Inner'), waits(1), calls('write', { text: 'middle' }), { text: 'Ok.' }],
				Inner: [{ ...calls('write', { text: 'inner' }), onRequest: toPlan }, { text: 'Ok.' }]
			},
			{ maxSubagentDepth: 2, mode: 'full' },
			[spawns('Middle'), waits(), { text: 'Ok.' }]
		);
		session = fake.session;
		await session.submit('Go').result;
		const refused = resultsOf(fake.seen, 'write');
		expect(refused).toHaveLength(2);
		expect(refused[0]).toContain('Plan mode');
		expect(refused).not.toContain('written');
		// Plan mode takes the writing tools away from the one whose next request comes after.
		const middle = fake.client.requests.filter(({ messages }) => JSON.stringify(messages[0]).includes('Middle')).at(-1);
		expect(middle?.tools?.map(({ name }) => name)).not.toContain('write');
		expect(await session.options.environment.fileExists('src/out.txt')).toBe(false);
	});

	it.each([
		['full', true],
		['plan', false]
	] as const)('judges the open question of a subagent again when it changes to %s', async (mode, written) => {
		const desk = new Desk();
		const { session, seen } = await family(
			{ Write: [calls('write', { text: 'x' }), { text: 'Ok.' }] },
			{ mode: 'ask', askPermission: desk.ask },
			[spawns('Write'), waits(), { text: 'Ok.' }]
		);
		const { result } = session.submit('Go');
		await desk.until(1);
		session.setMode(mode);
		await result;
		expect(desk.requests).toHaveLength(1);
		expect(ofType(nestedIn(seen), 'permission_resolved')).toHaveLength(1);
		expect(await session.options.environment.fileExists('src/out.txt')).toBe(written);
	});

	it('leaves a question open that the new mode asks too, and its answer counts', async () => {
		const desk = new Desk();
		let judgedAgain = 0;
		const counting: CreateGuards = (options) => {
			const guards = createGuards(options);
			if (options.ask) return guards;
			return { propose: (...args) => guards.propose(...args).finally(() => judgedAgain++) };
		};
		const { session, seen } = await family(
			{ Run: [calls('run'), { text: 'Ok.' }] },
			{ mode: 'ask', askPermission: desk.ask, createGuards: counting },
			[spawns('Run'), waits(), { text: 'Ok.' }]
		);
		const { result } = session.submit('Go');
		await desk.until(1);
		session.setMode('auto-edit');
		await vi.waitFor(() => expect(judgedAgain).toBe(1), { interval: 1 });
		desk.answer(0, { kind: 'allow_once' });
		await result;
		expect(desk.requests).toHaveLength(1);
		expect(ofType(nestedIn(seen), 'permission_resolved')[0]?.decision).toEqual({ kind: 'allow_once' });
		expect(resultsOf(seen, 'run')).toEqual(['ran']);
	});

	it('wins over an answer given in the same moment', async () => {
		const desk = new Desk();
		const { session, seen } = await family(
			{ Write: [calls('write', { text: 'x' }), { text: 'Ok.' }] },
			{ mode: 'ask', askPermission: desk.ask },
			[spawns('Write'), waits(), { text: 'Ok.' }]
		);
		const { result } = session.submit('Go');
		await desk.until(1);
		desk.answer(0, { kind: 'allow_once' });
		session.setMode('plan');
		await result;
		expect(resultsOf(seen, 'write')[0]).toContain('Plan mode');
		expect(await session.options.environment.fileExists('src/out.txt')).toBe(false);
	});

	it('keeps a subagent’s copy from being merged in plan mode', async () => {
		const { session, seen } = await family(
			{ Write: [calls('write', { text: 'x' }), { text: 'Written.' }] },
			{ mode: 'full' },
			[
				spawns('Write', { overlay: true }),
				{
					...waits(),
					onRequest: async () => {
						await vi.waitFor(() => expect(ofType(nestedIn(seen), 'agent_end')).toHaveLength(1));
						session.setMode('plan');
					}
				},
				{ ...waits(), onRequest: () => session.setMode('full') },
				{ text: 'Ok.' }
			]
		);
		await session.submit('Go').result;
		const outputs = ofType(seen, 'tool_call_end').filter(({ toolName }) => toolName === 'wait');
		expect(outputs[0]?.output).toContain('not merged: in plan mode');
		expect(outputs[1]?.output).toContain('Merged 1 changed file');
		expect(await session.options.environment.readFile('src/out.txt')).toBe('x');
	});
});

describe('the rules of a family', () => {
	it('given once hold for every member, and taken back for none', async () => {
		const desk = new Desk();
		const { session } = await family(
			{
				First: [calls('write', { text: '1' }), { text: 'Ok.' }],
				Second: [calls('write', { text: '2' }), { text: 'Ok.' }],
				Third: [calls('write', { text: '3' }), { text: 'Ok.' }]
			},
			{ mode: 'ask', askPermission: desk.ask },
			[
				spawns('First'),
				waits(0),
				spawns('Second'),
				waits(1),
				{ ...spawns('Third'), onRequest: () => session.configure({ allowRules: [] }) },
				waits(2),
				{ text: 'Ok.' }
			]
		);
		const { result } = session.submit('Go');
		await desk.until(1);
		desk.answer(0, { kind: 'allow_session' });
		await desk.until(2);
		expect(await session.options.environment.readFile('src/out.txt')).toBe('2');
		expect(session.allowRules).toEqual([]);
		desk.answer(1, { kind: 'allow_once' });
		await result;
		expect(await session.options.environment.readFile('src/out.txt')).toBe('3');
	});

	it('settle the open question of another member', async () => {
		const desk = new Desk();
		const task = (text: string): FakeTurn[] => [calls('write', { text }), { text: 'Ok.' }];
		const { session, seen } = await family(
			{ First: task('1'), Second: task('2') },
			{ mode: 'ask', askPermission: desk.ask },
			[spawns('First'), spawns('Second'), waits(0), waits(1), { text: 'Ok.' }]
		);
		const { result } = session.submit('Go');
		await desk.until(2);
		desk.answer(0, { kind: 'allow_always' });
		await result;
		expect(resultsOf(seen, 'write')).toEqual(['written', 'written']);
		expect(session.allowRules).toEqual([{ kind: 'path', pattern: 'src/**' }]);
	});
});

describe('Stop', () => {
	it('starts no subagent that was about to start', async () => {
		const environment = await temporaryEnvironment();
		const overlay = environment.overlay.bind(environment);
		let cleaned = false;
		let makeOverlay: () => void = () => {};
		const asked = new Promise<void>((resolve) => {
			environment.overlay = async () => {
				resolve();
				await new Promise<void>((go) => (makeOverlay = go));
				const made = await overlay();
				const cleanup = made.cleanup.bind(made);
				made.cleanup = async () => {
					cleaned = true;
					await cleanup();
				};
				return made;
			};
		});
		const { session, seen } = await family({ Late: [{ text: 'I run.' }] }, { environment }, [
			spawns('Late', { overlay: true }),
			{ text: 'never' }
		]);
		const { result } = session.submit('Go');
		await asked;
		const stopped = session.stop();
		makeOverlay();
		await stopped;
		expect((await result).stopReason).toBe('aborted');
		expect(cleaned).toBe(true);
		await session.close();
		expect(nestedIn(seen)).toEqual([]);
	});

	it('reaches subagents of subagents', async () => {
		const { session, seen } = await family(
			{ Middle: [spawns('Inner'), waits(1), { text: 'never' }], Inner: [{ text: 'Hm', stall: true }] },
			{ maxSubagentDepth: 2 },
			[spawns('Middle'), waits(), { text: 'never' }]
		);
		const { result } = session.submit('Go');
		await vi.waitFor(() => expect(started).toHaveLength(2));
		await vi.waitFor(() => expect(ofType(nestedIn(seen), 'assistant_text_delta').length).toBeGreaterThan(0));
		await session.stop();
		expect((await result).stopReason).toBe('aborted');
		await vi.waitFor(() =>
			expect(ofType(nestedIn(seen), 'agent_end').map((end) => end.result.stopReason)).toEqual(['aborted', 'aborted'])
		);
	});

	it('comes to subagents with the end of the run that started them', async () => {
		const { session, seen, client } = await family({ Long: [{ text: 'Hm', stall: true }] }, {}, [
			spawns('Long'),
			{
				text: 'It is under way.',
				onRequest: () => vi.waitFor(() => expect(taskRequests(client, 'Long')).toBe(1), { interval: 1 })
			},
			waits(),
			{ text: 'Ok.' }
		]);
		expect((await session.submit('Go').result).stopReason).toBe('end_turn');
		expect(session.state).toBe('idle');
		expect(ofType(seen, 'warning')).toMatchObject([
			{ code: 'subagents_stopped', message: expect.stringContaining(started[0] ?? '?') }
		]);
		await vi.waitFor(() => expect(ofType(nestedIn(seen), 'agent_end')).toHaveLength(1));
		await session.submit('And?').result;
		const waited = ofType(seen, 'tool_call_end').find(({ toolName }) => toolName === 'wait');
		expect(waited?.output).toContain('stopped before it had finished');
		expect(taskRequests(client, 'Long')).toBe(1);
	});
});

describe('the spending cap of a family', () => {
	it('stops two subagents that cross it at the same time', async () => {
		let inFlight = 0;
		let both: () => void;
		const together = new Promise<void>((resolve) => (both = resolve));
		const meets = async (): Promise<void> => {
			if (++inFlight === 2) both();
			await together;
		};
		const task = (): FakeTurn[] => [
			costs({ ...calls('look'), onRequest: meets }, 0.6),
			...Array.from({ length: 4 }, () => costs(calls('look'), 0.6)),
			{ text: 'never' }
		];
		const { session, client, seen } = await family({ One: task(), Two: task() }, { spendingCapUsd: 1 }, [
			spawns('One'),
			spawns('Two'),
			waits(0),
			waits(1),
			{ text: 'never' }
		]);
		expect((await session.submit('Go').result).stopReason).toBe('turn_limit');
		const ofTasks = client.requests.filter(({ messages }) => /"(One|Two)"/.test(JSON.stringify(messages[0])));
		expect(ofTasks).toHaveLength(2);
		expect(ofType(nestedIn(seen), 'turn_limit')).toHaveLength(2);
		expect(ofType(seen, 'turn_limit')).toMatchObject([{ limit: 1 }]);
	});

	it('counts subagents of subagents, also after the session was opened again', async () => {
		const log = new MemoryLog();
		const { session, seen } = await family(
			{
				Middle: [spawns('Inner'), waits(1), { text: 'Ok.' }],
				Inner: [costs(calls('look'), 2), { text: 'never' }]
			},
			{ maxSubagentDepth: 2, spendingCapUsd: 1, log },
			[spawns('Middle'), waits(), { text: 'never' }]
		);
		expect((await session.submit('Go').result).stopReason).toBe('turn_limit');
		expect(ofType(nestedIn(seen), 'turn_limit')).toHaveLength(2);
		await session.close();
		const again = await fakeSession([{ text: 'never' }], { profile, spendingCapUsd: 1, log });
		expect((await again.session.submit('Go on').result).stopReason).toBe('turn_limit');
		expect(again.client.requests).toHaveLength(0);
	});

	it('raised or lowered in the parent holds for subagents at work', async () => {
		const { session, client } = await family(
			{ Task: [{ ...costs(calls('look'), 0.5), onRequest: () => session.configure({ spendingCapUsd: 0.4 }) }] },
			{ spendingCapUsd: 100 },
			[spawns('Task'), waits(), { text: 'never' }]
		);
		expect((await session.submit('Go').result).stopReason).toBe('turn_limit');
		expect(taskRequests(client, 'Task')).toBe(1);
	});

	it('counts summaries and titles, and refuses them when it is reached', async () => {
		const { session, client, seen } = await fakeSession([{ text: 'One. '.repeat(400) }, { text: 'Two.' }], {
			client: new CostlyClient([{ text: 'One. '.repeat(400) }, { text: 'Two.' }]),
			spendingCapUsd: 1
		});
		await session.submit('Go. '.repeat(400)).result;
		await session.submit('Go on').result;
		expect(await session.compact()).toBe(true);
		expect(ofType(seen, 'usage').at(-1)).toMatchObject({ purpose: 'side_request', usage: { costUsd: 0.6 } });
		expect(await suggestTitle(session.client, session.profile, 'Fix it')).toBe('A summary');
		expect((await session.submit('More').result).stopReason).toBe('turn_limit');
		expect(await suggestTitle(session.client, session.profile, 'Fix that')).toBe('Fix that');
		expect(client.completions).toHaveLength(2);
	});

	it('warns once that it cannot hold for a model without a price, whichever member uses it', async () => {
		const task = [costs(calls('look'), null), costs({ text: 'Ok.' }, null)];
		const { session, seen } = await family({ Task: task }, { spendingCapUsd: 1 }, [
			spawns('Task', { model: 'no-price-1' }),
			waits(),
			{ text: 'Ok.' }
		]);
		await session.submit('Go').result;
		const warnings = () => ofType(seen, 'warning').filter(({ code }) => code === 'cap_without_price');
		expect(warnings()).toMatchObject([{ message: expect.stringMatching(/\$1 cannot hold.*no-price-1/) }]);
		session.configure({ spendingCapUsd: 5 });
		expect(warnings()).toHaveLength(2);
	});

	it('says nothing of prices where there is no cap', async () => {
		const { session, seen } = await fakeSession([costs({ text: 'Ok.' }, null)]);
		await session.submit('Go').result;
		expect(ofType(seen, 'warning')).toEqual([]);
		session.configure({ spendingCapUsd: 5 });
		expect(ofType(seen, 'warning')).toMatchObject([{ code: 'cap_without_price' }]);
	});
});

describe('the end of a session', () => {
	it('ends subagents that are about to start', async () => {
		const environment = await temporaryEnvironment();
		const overlay = environment.overlay.bind(environment);
		let makeOverlay: () => void = () => {};
		const asked = new Promise<void>((resolve) => {
			environment.overlay = async () => {
				resolve();
				await new Promise<void>((go) => (makeOverlay = go));
				return overlay();
			};
		});
		const { session, seen, client } = await family({ Late: [{ text: 'I run.' }] }, { environment }, [
			spawns('Late', { overlay: true })
		]);
		session.submit('Go');
		await asked;
		const aborted = session.abort();
		makeOverlay();
		await aborted;
		expect(seen.at(-1)?.type).toBe('session_end');
		expect(client.requests).toHaveLength(1);
		await expect(untilEvent(session, 'subagent_event')).rejects.toThrow('ended without');
	});
});

/** Every summary costs. */
class CostlyClient extends FakeClient {
	override async complete(...args: Parameters<FakeClient['complete']>) {
		const response = await super.complete(...args);
		return { ...response, usage: { ...response.usage, costUsd: 0.6 } };
	}
}
