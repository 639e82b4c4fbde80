import { describe, expect, it } from 'vitest';
import {
	createAnthropicProfile,
	createGeminiProfile,
	createOpenAIProfile,
	createPiProfile,
	MemoryLog,
	Session,
	SessionBusyError,
	SessionClosedError,
	type Profile,
	type SessionEvent
} from '#agent/index.ts';
import { AuthenticationError, ContextLengthError, ServerError } from '#llm/errors.ts';
import type { EntryBody } from '#agent/session-log.ts';
import { BackgroundProcesses } from '#agent/tools/background.ts';
import { inTime } from '../in-time.ts';
import { fakeSession, ofType, temporaryEnvironment, typesOf, untilEvent } from './fake-session.ts';
import { emptyUsage } from '#llm/usage.ts';
import { FakeClient, type FakeTurn } from './fake-client.ts';
import { echo, fakeProfile, fakeTool } from './fake-tools.ts';

const askTool = fakeTool(
	'ask_user',
	async (_, context) => (await context.askUser?.('Which one?', ['a', 'b'])) ?? '',
	'none'
);

describe('Session', () => {
	it('is used by a host in a few lines [9.1-1] [9.10-2]', async () => {
		const client = new FakeClient([{ calls: [{ name: 'echo', arguments: { text: 'hi' } }] }, { text: 'It passes.' }]);
		const seen: string[] = [];
		const session = new Session({
			profile: fakeProfile(),
			environment: await temporaryEnvironment(),
			client
		});
		const work = async (): Promise<void> => {
			for await (const event of session.submit('Make the failing test pass')) seen.push(event.type);
			await session.close();
		};
		await inTime(work(), 'the end of the session');
		expect(seen).toContain('tool_call_end');
		expect(session.state).toBe('closed');
	});

	it('brackets its life with session_start and session_end [9.10-4]', async () => {
		const { session } = await fakeSession([{ text: 'Hi.' }]);
		await session.submit('Hello').result;
		await session.close();
		const all = [];
		for await (const event of session.events) all.push(event);
		expect(all[0]?.type).toBe('session_start');
		expect(all.at(-1)).toMatchObject({ type: 'session_end', state: 'closed' });
		expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
	});

	it('emits each event of the specification in its place [9.10-1]', async () => {
		const talks = fakeTool('talks', (_, { onProgress }) => {
			onProgress('one ');
			if (client.requests.length === 1) session.steer('Use tabs');
			return 'one two';
		});
		const calls = (name: string, text: string): FakeTurn => ({ calls: [{ name, arguments: { text } }] });
		const { session, client } = await fakeSession(
			[
				...[{ text: 'Look', ...calls('talks', 'a') }, calls('talks', 'a'), { text: 'Done.' }],
				{ error: new ServerError({ provider: 'fake' }) },
				...['b', 'c', 'd'].map((text) => calls('echo', text))
			],
			{ profile: fakeProfile([talks, echo]), loopDetection: { window: 2 }, maxToolRoundsPerInput: 3 }
		);
		for (const input of ['One', 'Two', 'Three']) await session.submit(input).result;
		await session.close();
		const all: SessionEvent[] = [];
		for await (const event of session.events) all.push(event);
		const kinds =
			/^(session_(start|end)|user_input|assistant_text_\w+|tool_call_(start|output_delta|end)|steering_injected|turn_limit|loop_detection|error)$/;
		const call = ['tool_call_start', 'tool_call_output_delta', 'tool_call_end'];
		const text = ['assistant_text_start', 'assistant_text_delta'];
		expect(all.map(({ type }) => type).filter((type) => kinds.test(type))).toEqual([
			...['session_start', 'user_input', ...text, 'assistant_text_end', ...call, 'steering_injected', ...call],
			...['loop_detection', ...text, 'assistant_text_delta', 'assistant_text_end'],
			...['user_input', 'error'],
			...['user_input', ...Array(3).fill(['tool_call_start', 'tool_call_end']).flat(), 'turn_limit', 'session_end']
		]);
		expect(ofType(all, 'user_input').map(({ content }) => content)).toMatchObject(
			['One', 'Two', 'Three'].map((input) => [{ text: input }])
		);
		expect(ofType(all, 'assistant_text_end').map((event) => event.text)).toEqual(['Look', 'Done.']);
		const ids = ofType(all, 'tool_call_start').map(({ callId }) => callId);
		expect(ofType(all, 'tool_call_end').map(({ callId }) => callId)).toEqual(ids);
		expect(ofType(all, 'tool_call_output_delta').map(({ callId, delta }) => [callId, delta])).toEqual(
			ids.slice(0, 2).map((id) => [id, 'one '])
		);
		expect(ofType(all, 'steering_injected')).toMatchObject([{ content: [{ text: 'Use tabs' }] }]);
		expect(ofType(all, 'turn_limit')).toMatchObject([{ limit: 3 }]);
		expect(ofType(all, 'error')).toMatchObject([{ error: { code: 'server' }, fatal: true }]);
		for (const [index, { sessionId, timestamp }] of all.entries()) {
			expect(sessionId).toBe(session.id);
			expect(timestamp).toBeGreaterThanOrEqual(all[index - 1]?.timestamp ?? 1);
		}
	});

	it('takes one input after another and keeps what was said [9.1-8] [J.9-1.8] [J.9-3.1]', async () => {
		const look = fakeTool('look', () => 'the word is marzipan');
		const { session, client } = await fakeSession(
			[{ calls: [{ name: 'look' }] }, { text: 'Read.' }, { text: 'Marzipan.' }],
			{ profile: fakeProfile([look]) }
		);
		await session.submit('Read it').result;
		expect(session.state).toBe('idle');
		expect((await session.submit('What did it say').result).text).toBe('Marzipan.');
		expect(client.requests[2]?.messages).toMatchObject([
			{ role: 'user', content: [{ text: 'Read it' }] },
			{ role: 'assistant', content: [{ type: 'tool_call', name: 'look' }] },
			{ role: 'tool', content: [{ callId: 'call_1', content: 'the word is marzipan' }] },
			{ role: 'assistant', content: [{ text: 'Read.' }] },
			{ role: 'user', content: [{ text: 'What did it say' }] }
		]);
	});

	it('refuses a second input while it works [J.9-4.1] [J.9-1.7] [A-1]', async () => {
		const { session, client } = await fakeSession([{ text: 'One.' }]);
		const run = session.submit('One');
		expect(() => session.submit('Two')).toThrow(SessionBusyError);
		await untilEvent(session, 'assistant_text_delta');
		expect(() => session.submit('Two')).toThrow(SessionBusyError);
		expect((await run.result).text).toBe('One.');
		expect(client.requests).toHaveLength(1);
		expect(JSON.stringify(session.conversation.messages)).not.toContain('Two');
	});

	it('waits for an answer after a question, and takes the next input as it [S-1]', async () => {
		const { session, seen } = await fakeSession([{ text: 'Which file?' }, { text: 'Thanks.' }]);
		await session.submit('Fix it').result;
		expect(session.state).toBe('awaiting_input');
		await session.submit('a.ts').result;
		expect(session.state).toBe('idle');
		await session.close();
		expect(ofType(seen, 'state_change').map(({ from, to }) => `${from}-${to}`)).toEqual([
			'idle-processing',
			'processing-awaiting_input',
			'awaiting_input-processing',
			'processing-idle',
			'idle-closed'
		]);
	});

	it('suspends a run on ask_user until it is answered [S-1]', async () => {
		const { session, client } = await fakeSession([{ calls: [{ name: 'ask_user' }] }, { text: 'Good.' }], {
			profile: fakeProfile([askTool])
		});
		const run = session.submit('Go');
		expect(await untilEvent(session, 'question')).toMatchObject({ question: 'Which one?', options: ['a', 'b'] });
		expect(session.state).toBe('awaiting_input');
		expect(() => session.submit('b')).toThrow(SessionBusyError);
		session.answer('b');
		await run.result;
		expect(client.requests[1]?.messages.at(-1)?.content).toMatchObject([{ content: 'b', isError: false }]);
	});

	it('stops while it waits for an answer', async () => {
		const { session } = await fakeSession([{ calls: [{ name: 'ask_user' }] }], { profile: fakeProfile([askTool]) });
		const run = session.submit('Go');
		await untilEvent(session, 'question');
		await session.stop();
		expect((await run.result).stopReason).toBe('aborted');
		expect(session.state).toBe('idle');
	});

	it('stops at once, keeps what had arrived and the queue, and goes on [A-2]', async () => {
		const { session, client, seen } = await fakeSession([{ text: 'Half of', stall: true }, { text: 'Again.' }]);
		const run = session.submit('Go');
		session.followUp('Later');
		await untilEvent(session, 'assistant_text_delta');
		expect(client.requests[0]?.signal?.aborted).toBe(false);
		await session.stop();
		expect(client.requests[0]?.signal?.aborted).toBe(true);
		expect((await run.result).stopReason).toBe('aborted');
		expect(ofType(seen, 'message_end')).toMatchObject([{ stopReason: 'aborted' }]);
		expect(session.queues.followUps).toHaveLength(1);
		session.setFollowUps([]);
		await session.submit('Go on').result;
		expect(client.requests[1]?.messages[1]).toMatchObject({ role: 'assistant' });
	});

	it('stops the call that runs and does not start those after it [A-2]', async () => {
		const order: string[] = [];
		const hangs = fakeTool(
			'hangs',
			(_, { signal }) => {
				order.push('started');
				return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
			},
			'write'
		);
		const { session, seen } = await fakeSession(
			[{ calls: [{ name: 'hangs' }, { name: 'hangs' }, { name: 'echo' }] }, { text: 'never' }],
			{ profile: fakeProfile([hangs, echo]) }
		);
		const run = session.submit('Go');
		await untilEvent(session, 'tool_call_start');
		while (order.length === 0) await new Promise(setImmediate);
		await session.stop();
		expect(await run.result).toMatchObject({ stopReason: 'aborted', turns: 1 });
		expect(order).toEqual(['started']);
		const notRun = { isError: true, output: expect.stringContaining('Not run: the run was stopped') };
		expect(ofType(seen, 'tool_call_end')).toMatchObject([{ output: 'Operation aborted' }, notRun, notRun]);
	});

	it('aborts in order: the stream, what runs, what is to be kept, the end of the session [9.11-5]', async () => {
		const order: string[] = [];
		class Watched extends MemoryLog {
			override append(body: EntryBody): string {
				if (body.type === 'event') order.push(body.event.type);
				return super.append(body);
			}
			override flush(): Promise<void> {
				order.push('flush');
				return super.flush();
			}
		}
		const server = fakeTool(
			'server',
			async (_, { state, environment }) => {
				const { process } = await BackgroundProcesses.of(state).start('sleep 60', () => environment.start('sleep 60'));
				void process.exited.then(() => order.push('process ended'));
				return 'Runs.';
			},
			'none'
		);
		const { session } = await fakeSession(
			[
				{ calls: [{ name: 'server' }] },
				{
					text: 'Half of',
					stall: true,
					onRequest: ({ signal }) => signal?.addEventListener('abort', () => order.push('stream cancelled'))
				}
			],
			{ log: new Watched(), profile: fakeProfile([server]) }
		);
		session.submit('Go');
		await untilEvent(session, 'assistant_text_delta');
		order.length = 0;
		await session.abort();
		const steps = ['stream cancelled', 'agent_end', 'process ended', 'session_end'].map((step) => order.indexOf(step));
		expect(steps).not.toContain(-1);
		expect(steps).toEqual(steps.toSorted((a, b) => a - b));
		expect(order.slice(order.indexOf('process ended'), order.indexOf('session_end'))).toContain('flush');
		expect(order.at(-1)).toBe('flush');
	});

	it('aborts to closed, with session_end last [9.1-6]', async () => {
		const { session, seen } = await fakeSession([{ text: 'Half of', stall: true }]);
		const run = session.submit('Go');
		await untilEvent(session, 'assistant_text_delta');
		await session.abort();
		expect((await run.result).stopReason).toBe('aborted');
		expect(session.state).toBe('closed');
		expect(seen.at(-1)?.type).toBe('session_end');
		expect(() => session.submit('More')).toThrow(SessionClosedError);
	});

	it('closes after a refused key and can be opened again [9.11-3, S-24]', async () => {
		const [code, error] = ['authentication', new AuthenticationError({ provider: 'fake' })];
		const log = new MemoryLog();
		const { session, client } = await fakeSession([{ error }], { log });
		expect(await session.submit('Go').result).toMatchObject({ stopReason: 'error', error: { code } });
		expect(session.state).toBe('closed');
		expect(client.requests).toHaveLength(1);
		const again = await fakeSession([{ text: 'Now it works.' }], { log });
		expect((await again.session.submit('Go on').result).text).toBe('Now it works.');
	});

	it('stays usable after another error of the provider [S-24]', async () => {
		const { session } = await fakeSession([{ error: new ServerError({ provider: 'fake' }) }, { text: 'Better.' }]);
		expect((await session.submit('Go').result).stopReason).toBe('error');
		expect(session.state).toBe('idle');
		expect((await session.submit('Again').result).text).toBe('Better.');
	});

	it('warns about an overflowing context and does not compact by default [9.11-4] [F-002-4]', async () => {
		const { session, seen, client } = await fakeSession([{ error: new ContextLengthError({ provider: 'fake' }) }]);
		await session.submit('Go').result;
		expect(ofType(seen, 'warning')).toMatchObject([{ code: 'context_overflow' }]);
		expect(client.completions).toHaveLength(0);
	});

	it('stops at the limit of rounds for an input, and of turns for the session [9.1-4] [9.1-5] [S-24]', async () => {
		const call = { calls: [{ name: 'echo' }] };
		const rounds = await fakeSession([call, call, call], { maxToolRoundsPerInput: 2 });
		expect(await rounds.session.submit('Go').result).toMatchObject({ stopReason: 'turn_limit', turns: 2 });
		expect(ofType(rounds.seen, 'turn_limit')).toMatchObject([{ limit: 2 }]);
		expect(rounds.session.state).toBe('idle');
		const turns = await fakeSession([{ text: 'One.' }, call, { text: 'never' }], { maxTurns: 2 });
		await turns.session.submit('Go').result;
		expect((await turns.session.submit('More').result).stopReason).toBe('turn_limit');
		expect(turns.client.requests).toHaveLength(2);
	});

	it('stops when the spending cap is reached', async () => {
		const { session } = await fakeSession([{ calls: [{ name: 'echo' }], usage: { costUsd: 2 } }], {
			spendingCapUsd: 1
		});
		expect((await session.submit('Go').result).stopReason).toBe('turn_limit');
	});

	it('counts towards the cap what was spent beside the conversation', async () => {
		const { session, seen } = await fakeSession(
			[{ calls: [{ name: 'echo' }], usage: { costUsd: 0.1 } }, { text: 'never' }],
			{
				spendingCapUsd: 1
			}
		);
		session.configure({ spentBesideUsd: 0.95 });
		expect((await session.submit('Go').result).stopReason).toBe('turn_limit');
		expect(ofType(seen, 'turn_limit')).toMatchObject([{ limit: 1 }]);
	});

	it('sends an effort changed in the middle of a run with the next request of that run [S-5]', async () => {
		const raises = fakeTool('raises', () => (session.setReasoningEffort('high'), 'Raised.'));
		const { session, client } = await fakeSession([{ calls: [{ name: 'raises' }] }, { text: 'Done.' }], {
			profile: fakeProfile([raises]),
			reasoningEffort: 'low'
		});
		await session.submit('Go').result;
		expect(client.requests.map(({ reasoningEffort }) => reasoningEffort)).toEqual(['low', 'high']);
	});

	it('sends a changed effort and model with the next request [9.7-1] [9.7-2]', async () => {
		const { session, client, seen } = await fakeSession([{ text: 'A.' }, { text: 'B.' }], { reasoningEffort: 'low' });
		await session.submit('One').result;
		session.setReasoningEffort('high');
		session.setModel(fakeProfile([echo], { model: 'fake-2' }));
		await session.submit('Two').result;
		expect(client.requests.map(({ reasoningEffort, model }) => [reasoningEffort, model])).toEqual([
			['low', 'fake-1'],
			['high', 'fake-2']
		]);
		expect(ofType(seen, 'model_change')).toMatchObject([{ model: 'fake-2' }]);
	});

	it('shows only reading tools in plan mode, and only active ones, from the next request on [A-16] [TOOLCFG-004]', async () => {
		const writer = fakeTool('write', () => 'ok', 'write');
		const { session, client } = await fakeSession([], { profile: fakeProfile([echo, writer]), mode: 'plan' });
		await session.submit('One').result;
		session.setMode('full');
		await session.submit('Two').result;
		session.setActiveTools(['write']);
		await session.submit('Three').result;
		expect(client.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
			['echo'],
			['echo', 'write'],
			['write']
		]);
	});

	it.each<[Profile, string[]]>([
		[
			createAnthropicProfile({ model: 'claude-opus-4-6' }),
			['Read', 'Grep', 'Glob', 'TodoWrite', 'AskUserQuestion', 'Agent', 'SendMessage', 'TaskOutput', 'TaskStop']
		],
		[
			createOpenAIProfile({ model: 'gpt-5.5' }),
			[
				'read_file',
				'grep',
				'glob',
				'update_plan',
				'request_user_input',
				'spawn_agent',
				'send_input',
				'wait_agent',
				'close_agent'
			]
		],
		[
			createGeminiProfile({ model: 'gemini-3-pro-preview' }),
			[
				...['list_directory', 'read_file', 'read_many_files', 'grep_search', 'glob'],
				...[
					'list_background_processes',
					'write_todos',
					'ask_user',
					'invoke_agent',
					'message_agent',
					'read_agent_output',
					'stop_agent'
				]
			]
		],
		[createPiProfile({ model: 'local' }), ['read', 'grep', 'find', 'ls']]
	])(
		'shows a model of $id only tools that read, ask, plan and delegate in plan mode [A-16]',
		async (profile, names) => {
			const { session, client } = await fakeSession([], { profile, mode: 'plan' });
			await session.submit('Plan it').result;
			// The preview tool itself asks for permission.
			const shown = client.requests[0]?.tools?.map(({ name }) => name).filter((name) => name !== 'preview');
			expect(shown).toEqual(names);
		}
	);

	it('refuses to show no tool or one that does not exist, and leaves those there were [TOOLCFG-005] [TOOLCFG-006]', async () => {
		const writer = fakeTool('write', () => 'ok', 'write');
		const { session, client } = await fakeSession([], { profile: fakeProfile([echo, writer]) });
		session.setActiveTools(['write']);
		expect(() => session.setActiveTools(['echo', 'nonexistent'])).toThrow('There is no tool named nonexistent.');
		expect(() => session.setActiveTools([])).toThrow('At least one tool must be active.');
		expect(session.activeTools).toEqual(['write']);
		await session.submit('One').result;
		session.setActiveTools(null);
		await session.submit('Two').result;
		expect(client.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([['write'], ['echo', 'write']]);
	});

	it('shows the chosen tools under the names of another model too', async () => {
		const { session, client } = await fakeSession([], {
			profile: createAnthropicProfile({ model: 'claude-opus-4-6' })
		});
		session.setActiveTools(['Read', 'Bash']);
		await session.submit('One').result;
		session.setModel(createGeminiProfile({ model: 'gemini-3-pro-preview' }));
		await session.submit('Two').result;
		expect(client.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
			['Read', 'Bash'],
			['read_file', 'run_shell_command']
		]);
	});

	it('takes the user’s instructions, tools switched off and limits of outputs from the next message on', async () => {
		const profile = createAnthropicProfile({ model: 'claude-opus-4-6' });
		const loud = fakeTool('shell', () => 'x'.repeat(5_000));
		const turns = Array.from({ length: 2 }, () => [{ calls: [{ name: 'shell' }] }, { text: 'Ok.' }]).flat();
		const { session, client } = await fakeSession(turns, { profile, tools: [loud], userInstructions: 'Use tabs.' });
		await session.submit('One').result;
		session.configure({
			userInstructions: 'Use spaces.',
			withoutTools: ['web_fetch', 'Write', 'edit_file'],
			outputLimits: { outputCharacters: { shell: 1_000 } }
		});
		await session.submit('Two').result;
		const [first, , third, last] = client.requests;
		expect(first?.system).toMatch(/own instructions\nUse tabs\.$/);
		expect(third?.system).toMatch(/own instructions\nUse spaces\.$/);
		const names = (request = first) => request?.tools?.map(({ name }) => name) ?? [];
		expect(names()).toEqual(expect.arrayContaining(['Write', 'Edit', 'Read']));
		expect(names(third)).toEqual(names().filter((name) => name !== 'Write' && name !== 'Edit'));
		expect(session.tools.find(({ name }) => name === 'edit_file')).toMatchObject({ label: 'Edit' });
		const lengths = last?.messages.flatMap(({ content }) =>
			content.map((part) => (part.type === 'tool_result' ? part.content.length : 0)).filter(Boolean)
		);
		expect(lengths?.[0]).toBe(5_000);
		expect(lengths?.[1]).toBeLessThan(2_000);
	});

	it('says what a change costs the provider’s cache, once there is a conversation', async () => {
		const { session, seen } = await fakeSession([{ text: 'A.' }]);
		const told = () =>
			ofType(seen, 'warning').flatMap(({ code, message }) => (code === 'cache_break' ? [message] : []));
		session.setMode('plan');
		session.configure({ userInstructions: 'Use tabs.', withoutTools: [] });
		expect(told()).toEqual([]);
		await session.submit('One').result;
		session.setMode('plan');
		session.configure({ spendingCapUsd: 5 });
		expect(told()).toEqual([]);
		session.setMode('full');
		session.setMode('auto-edit');
		session.configure({ userInstructions: 'Use spaces.' });
		session.configure({ withoutTools: ['web_fetch'] });
		session.configure({ tools: [fakeTool('more', () => 'x')] });
		expect(told().map((message) => message.split(':')[0])).toEqual([
			'The set of tools changed',
			'The instructions of the user changed',
			'The set of tools changed',
			'The set of tools changed'
		]);
	});

	it('keeps the prompt before the newest messages byte for byte the same', async () => {
		const { session, client } = await fakeSession([{ calls: [{ name: 'echo' }] }, { text: 'A.' }, { text: 'B.' }]);
		await session.submit('One').result;
		await session.submit('Two').result;
		const bodies = client.requests.map(({ system, tools, messages }) =>
			JSON.stringify([system, tools, messages]).slice(0, -2)
		);
		expect(bodies[1]?.startsWith(bodies[0] ?? '-')).toBe(true);
		expect(bodies[2]?.startsWith(bodies[1] ?? '-')).toBe(true);
	});

	it('goes on from its log: history, numbers and an open run’s missing ends', async () => {
		const log = new MemoryLog();
		const { session, seen } = await fakeSession([{ calls: [{ name: 'ask_user' }] }], {
			log,
			profile: fakeProfile([askTool])
		});
		void session.submit('Go');
		await untilEvent(session, 'question');
		// The tab is closed here; another one opens the log in that state.
		const reopened = new MemoryLog(structuredClone(log.entries()));
		const again = await fakeSession([{ text: 'On.' }], { log: reopened });
		await again.session.submit('Go on').result;
		await again.session.close();
		const all = [];
		for await (const event of again.session.events) all.push(event);
		expect(all[seen.length] ?? all.at(-1)).toBeDefined();
		expect(again.seen[0]?.seq).toBeGreaterThan(ofType(seen, 'question')[0]?.seq ?? Infinity);
		expect(typesOf(all).filter((type) => type === 'tool_call_start' || type === 'tool_call_end')).toHaveLength(2);
		expect(typesOf(all).filter((type) => type === 'agent_start' || type === 'agent_end')).toHaveLength(4);
		expect(ofType(all, 'agent_end')[0]?.result.stopReason).toBe('interrupted');
		expect(again.client.requests[0]?.messages[2]).toMatchObject({
			role: 'tool',
			content: [{ isError: true, content: 'No result provided' }]
		});
		await session.abort();
	});

	it('flushes the log before turn_end, and goes on with a warning when that fails', async () => {
		class FullDisk extends MemoryLog {
			override flush(): Promise<void> {
				return Promise.reject(new Error('The disk is full.'));
			}
		}
		const { session, seen } = await fakeSession([{ text: 'A.' }], { log: new FullDisk() });
		expect((await session.submit('Go').result).text).toBe('A.');
		const types = typesOf(seen);
		expect(types.indexOf('warning')).toBeLessThan(types.indexOf('turn_end'));
		expect(ofType(seen, 'warning')[0]).toMatchObject({
			code: 'not_saved',
			message: expect.stringContaining('disk is full')
		});
	});

	it('forks at an entry into a session of its own', async () => {
		const { session } = await fakeSession([{ text: 'A.' }, { text: 'B.' }]);
		await session.submit('One').result;
		const at = session.log.entries().findLast(({ type }) => type === 'message')?.id ?? '';
		await session.submit('Two').result;
		const client = new FakeClient([{ text: 'C.' }]);
		const fork = session.fork(at, { client });
		await fork.submit('Instead').result;
		expect(fork.id).not.toBe(session.id);
		expect(JSON.stringify(client.requests[0]?.messages)).not.toContain('Two');
		expect(client.requests[0]?.messages).toHaveLength(3);
		const types = (of: typeof session) => of.log.branch().map((entry) => entry.type === 'event' && entry.event.type);
		expect(types(fork).filter((type) => type === 'session_fork')).toHaveLength(1);
		expect(types(fork).lastIndexOf('user_input')).toBeGreaterThan(types(fork).indexOf('session_fork'));
		expect(types(session)).not.toContain('session_fork');
	});

	it('takes a response whose content is a plain text, or nothing, as a client may hand it on [J.9-4.5]', async () => {
		for (const [content, text] of [
			['Just words.', 'Just words.'],
			[null, '']
		]) {
			const client = new FakeClient([]);
			client.stream = async function* ({ model, provider }) {
				yield { type: 'start', model };
				// None of our adapters does this, but a host's own client may.
				const message = { role: 'assistant', content } as never;
				const usage = emptyUsage();
				yield { type: 'finish', response: { id: 'r', model, provider, message, finishReason: 'stop', usage } };
			};
			const { session } = await fakeSession([], { client });
			expect(await session.submit('Go').result).toMatchObject({ text, stopReason: 'end_turn' });
			expect(session.state).toBe('idle');
		}
	});

	it('puts no key into events or log [S-40]', async () => {
		const secret = 'sk-very-secret';
		const error = new AuthenticationError({ provider: 'fake', body: secret, cause: new Error(secret) });
		const { session, seen } = await fakeSession([{ error }]);
		await session.submit('Go').result;
		expect(JSON.stringify([seen, session.log.entries()])).not.toContain(secret);
	});
});
