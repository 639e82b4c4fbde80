import { describe, expect, it, vi } from 'vitest';
import type { CreateGuards } from '#agent/api.ts';
import { foundFamily } from '#agent/family.ts';
import { createGuards } from '#agent/guards/guards.ts';
import { MemoryLog, type SessionOptions } from '#agent/index.ts';
import type { FakeTurn } from './fake-client.ts';
import { calls, Desk, family, nestedIn, resultsOf, spawns, started, taskRequests, waits } from './fake-family.ts';
import { ofType, temporaryEnvironment, untilEvent } from './fake-session.ts';

describe('a new family', () => {
	it('asks, has no rules and no hooks, and only what differs is a change', () => {
		const founded = foundFamily({} as SessionOptions, new MemoryLog(), () => undefined);
		expect(founded).toMatchObject({ mode: 'ask', rules: [], projectHooks: [], version: 0 });
		founded.mode = 'ask';
		expect(founded.version).toBe(0);
		founded.mode = 'plan';
		expect([founded.mode, founded.version]).toEqual(['plan', 1]);
	});
});

describe('the mode of a family', () => {
	it('reaches a subagent at work, and its own subagents, with their next step', async () => {
		const { session, seen, client } = await family(
			{
				Middle: [spawns('Inner'), waits(1), calls('write', { text: 'middle' }), { text: 'Ok.' }],
				Inner: [{ ...calls('write', { text: 'inner' }), onRequest: () => session.setMode('plan') }, { text: 'Ok.' }]
			},
			{ maxSubagentDepth: 2, mode: 'full' },
			[spawns('Middle'), waits(), { text: 'Ok.' }]
		);
		await session.submit('Go').result;
		const refused = resultsOf(seen, 'write');
		expect(refused).toHaveLength(2);
		expect(refused[0]).toContain('Plan mode');
		expect(refused).not.toContain('written');
		// Plan mode removes the write tools from the agent whose next request comes afterwards.
		const middle = client.requests.filter(({ messages }) => JSON.stringify(messages[0]).includes('Middle')).at(-1);
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
		const withdrawn: unknown[] = [];
		const task = (text: string): FakeTurn[] => [calls('write', { text }), { text: 'Ok.' }];
		const { session, seen } = await family(
			{ First: task('1'), Second: task('2') },
			{
				mode: 'ask',
				askPermission: (request, signal) => {
					signal.addEventListener('abort', () => withdrawn.push(signal.reason));
					return desk.ask(request, signal);
				}
			},
			[spawns('First'), spawns('Second'), waits(0), waits(1), { text: 'Ok.' }]
		);
		const { result } = session.submit('Go');
		await desk.until(2);
		desk.answer(0, { kind: 'allow_always' });
		await result;
		expect(resultsOf(seen, 'write')).toEqual(['written', 'written']);
		expect(session.allowRules).toEqual([{ kind: 'path', pattern: 'src/**' }]);
		expect(withdrawn).toMatchObject([{ name: 'QuestionWithdrawn' }]);
		expect(ofType(nestedIn(seen), 'permission_resolved').map(({ decision }) => decision)).toContainEqual({
			kind: 'deny_explain',
			explanation: 'Not answered: the mode or the rules changed and settled it.'
		});
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
		expect(ofType([...seen, ...nestedIn(seen)], 'warning')).toEqual([]);
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
