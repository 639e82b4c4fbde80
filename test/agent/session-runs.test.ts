import { describe, expect, it, vi } from 'vitest';
import { MemoryLog, PROJECT_SETTINGS_PATH, type SessionOptions } from '#agent/index.ts';
import type { TodoItem } from '#agent/todo.ts';
import { NetworkError } from '#llm/errors.ts';
import type { ContentPart, Message } from '#llm/types.ts';
import { emptyUsage } from '#llm/usage.ts';
import { calls, family, nestedIn, profile, spawns, started, waits } from './fake-family.ts';
import { fakeSession, ofType, temporaryEnvironment } from './fake-session.ts';
import { broken, echo, fakeProfile, fakeTool } from './fake-tools.ts';
import type { FakeTurn } from './fake-client.ts';

const text = (value: string): ContentPart => ({ type: 'text', text: value });
const call: FakeTurn = { calls: [{ name: 'echo' }] };

describe('a run', () => {
	it('counts the turns of the session before it was opened again', async () => {
		const log = new MemoryLog();
		const first = await fakeSession([call, { text: 'Two.' }], { log });
		await first.session.submit('Go').result;
		const again = await fakeSession([call, { text: 'never' }], { log, maxTurns: 3 });
		expect(await again.session.submit('On').result).toMatchObject({ stopReason: 'turn_limit', turns: 1 });
		expect(again.client.requests).toHaveLength(1);
	});

	it('of an input that a hook dealt with ends without a turn', async () => {
		const { session } = await fakeSession([], { hooks: [{ onInput: () => 'handled' }] });
		const ended = { text: '', stopReason: 'end_turn', turns: 0, usage: emptyUsage() };
		expect(await session.submit('Go').result).toEqual(ended);
	});

	it('tells the model of its tools, and of no instructions where the user gave none', async () => {
		const collectPromptParts = vi.fn(async () => ({ environmentBlock: 'E' }) as never);
		const { session, client } = await fakeSession([{ text: 'A.' }, { text: 'B.' }], {
			profile: fakeProfile([echo, broken], { buildSystemPrompt: ({ toolNames }) => toolNames.join() }),
			collectPromptParts
		});
		await session.submit('Go').result;
		expect(collectPromptParts).toHaveBeenLastCalledWith(expect.anything(), expect.anything(), '');
		expect(client.requests[0]?.system).toBe('echo,broken');
	});

	it('that changes its model goes on with the prompt for that model', async () => {
		const prompted = (model: string) => fakeProfile([change], { model, buildSystemPrompt: () => `For ${model}.` });
		const change = fakeTool('change', () => (session.setModel(prompted('other')), 'Changed.'));
		const { session, client } = await fakeSession([{ calls: [{ name: 'change' }] }, { text: 'Done.' }], {
			profile: prompted('first')
		});
		await session.submit('Go').result;
		expect(client.requests.map(({ system }) => system)).toEqual(['For first.', 'For other.']);
	});

	it('fails and asks again as often as the host said', async () => {
		const failing = { calls: [{ name: 'broken' }] };
		const failed = await fakeSession([failing, failing, { text: 'never' }], {
			profile: fakeProfile([broken]),
			failureDetection: { windowSize: 2, failureThreshold: 2 }
		});
		expect((await failed.session.submit('Go').result).stopReason).toBe('failure_threshold');
		const error = new NetworkError({ provider: 'fake' });
		const retried = await fakeSession(
			[
				{ text: 'Ha', error },
				{ text: 'Ha', error }
			],
			{ streamRetry: { attempts: 1, delayMs: 1 } }
		);
		expect((await retried.session.submit('Go').result).stopReason).toBe('error');
		expect(ofType(retried.seen, 'retry')).toMatchObject([{ attempt: 1, delayMs: 1 }]);
	});

	it('of a subagent has no reminders of its tasks', async () => {
		const plan = fakeTool('plan', ({ items }, { todo }) => (todo.replace(items as TodoItem[]), 'Planned.'), 'none');
		const plans = calls('plan', { items: [{ content: 'Look', status: 'pending' }] });
		const { session, seen } = await family(
			{ Plan: [plans, call, { text: 'Ok.' }] },
			{ profile: fakeProfile([...profile.tools, plan, echo]), todoStaleTurns: 0 },
			[plans, spawns('Plan'), waits(), { text: 'Ok.' }]
		);
		await session.submit('Go').result;
		expect(ofType(seen, 'todo_reminder').length).toBeGreaterThan(0);
		expect(ofType(nestedIn(seen), 'todo_reminder')).toEqual([]);
	});
});

describe('the end of a run', () => {
	it('names each subagent that it stops', async () => {
		const stall: FakeTurn[] = [{ text: 'Hm', stall: true }];
		const { session, seen } = await family({ One: [...stall], Two: [...stall] }, {}, [
			spawns('One'),
			spawns('Two'),
			{ text: 'Done.' }
		]);
		await session.submit('Go').result;
		expect(ofType(seen, 'warning')).toMatchObject([
			{
				code: 'subagents_stopped',
				message: `The run ended before ${started.join(', ')} had finished: stopped. A message to them continues their work.`
			}
		]);
	});
});

describe('the copy that a subagent worked on', () => {
	it('is merged as a change of the agent', async () => {
		const { session, seen } = await family({ Write: [calls('write', { text: 'x' }), { text: 'Ok.' }] }, {}, [
			spawns('Write', { overlay: true }),
			waits(),
			{ text: 'Ok.' }
		]);
		await session.submit('Go').result;
		expect(ofType(seen, 'file_change')).toMatchObject([{ path: 'src/out.txt', by: 'tool' }]);
	});

	it('is not merged into other files than those it was copied from', async () => {
		const { session, seen } = await family({ Write: [calls('write', { text: 'x' }), { text: 'Ok.' }] }, {}, [
			spawns('Write', { overlay: true }),
			{
				text: 'It is under way.',
				onRequest: () => vi.waitFor(() => expect(ofType(nestedIn(seen), 'agent_end')).toHaveLength(1))
			},
			waits(),
			{ text: 'Ok.' }
		]);
		await session.submit('Go').result;
		session.setMode('fork');
		await session.submit('Take it').result;
		const [, waited] = ofType(seen, 'tool_call_end');
		expect(waited?.output).toBe(
			'true Ok.\n\nIts changes are not merged: it worked on a copy of other files than yours. Make them by hand.'
		);
		expect(await session.fileFork.changes()).toEqual([]);
	});
});

describe('hooks of a project', () => {
	/** A session in a project with a hook command for each of these events. */
	async function project(hooks: Record<string, string>, turns: FakeTurn[], options: Partial<SessionOptions> = {}) {
		const environment = await temporaryEnvironment();
		const settings = { hooks: Object.entries(hooks).map(([event, command]) => ({ event, command })) };
		await environment.writeFile(PROJECT_SETTINGS_PATH, JSON.stringify(settings));
		return family(
			{ Look: [{ text: 'Seen.' }] },
			{ environment, projectHooks: { isTrusted: () => true }, ...options },
			turns
		);
	}

	it('read the words of a message, and what they say is none of the user', async () => {
		const { session } = await project({ message: 'cat' }, [{ text: 'Done.' }]);
		const picture: ContentPart = { type: 'image', mediaType: 'image/png', data: 'A' };
		await session.submit([text('One'), picture, text('Two')]).result;
		const input = JSON.stringify({ event: 'message', message: 'One\nTwo' });
		const added: Message = { role: 'user', content: [text(`[Hook of this project: \`cat\`]\n${input}`)] };
		expect(session.conversation.messages[0]).toEqual(added);
		expect([...session.conversation.notices]).toEqual([added]);
	});

	it('run for the messages and the ends of the user’s agent alone', async () => {
		const { session, seen } = await project({ message: 'true', end: 'true' }, [
			spawns('Look'),
			waits(),
			{ text: 'Done.' }
		]);
		await session.submit('Go').result;
		expect(ofType([...seen, ...nestedIn(seen)], 'hook_run').map(({ event }) => event)).toEqual(['message', 'end']);
	});

	it('change files as commands do', async () => {
		const { session, seen } = await project({ message: 'touch a', end: 'touch b' }, [{ text: 'Done.' }]);
		await session.submit('Go').result;
		expect(ofType(seen, 'file_change').map(({ path, by }) => [path, by])).toEqual([
			['a', 'shell'],
			['b', 'shell']
		]);
	});

	it('are asked about by their event, and with no tool call’s id', async () => {
		const askPermission = vi.fn<NonNullable<SessionOptions['askPermission']>>(() =>
			Promise.resolve({ kind: 'allow_once' })
		);
		const { session } = await project({ message: 'touch a', end: 'touch b' }, [{ text: 'Done.' }], {
			mode: 'ask',
			askPermission
		});
		await session.submit('Go').result;
		const id = expect.stringMatching(/^hook:[0-9a-f-]{36}$/);
		expect(askPermission.mock.calls.map(([{ toolName, callId }]) => [toolName, callId])).toEqual([
			['hook message', id],
			['hook end', id]
		]);
	});
});
