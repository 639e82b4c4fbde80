import { describe, expect, it } from 'vitest';
import { fakeSession, ofType } from '../fake-session.ts';
import { echo, fakeProfile, fakeTool } from '../fake-tools.ts';
import type { TodoItem } from '#agent/todo.ts';
import { ConfigValidationError, runAgentLoop } from '#agent/index.ts';
import { FakeClient } from '../fake-client.ts';
import { temporaryEnvironment } from '../fake-session.ts';
import { TodoReminders } from '#agent/loop/reminders.ts';
import { TodoList } from '#agent/todo-list.ts';

const todo = fakeTool(
	'todo',
	({ items }, context) => {
		context.todo.replace(items as TodoItem[]);
		return 'Updated.';
	},
	'none'
);
const profile = fakeProfile([todo, echo]);
const plan = (status: TodoItem['status']) => ({
	calls: [{ name: 'todo', arguments: { items: [{ content: 'Fix it', status }] } }]
});
/** Different calls, so that no loop is detected. */
const work = (count: number) =>
	Array.from({ length: count }, (_, i) => ({ calls: [{ name: 'echo', arguments: { text: String(i) } }] }));

describe('todo reminders', () => {
	it('count from the start of the run what was planned before it, and name each open task on a line', () => {
		const list = new TodoList();
		list.replace([
			{ content: 'Fix it', status: 'pending' },
			{ content: 'Test it', status: 'in_progress' }
		]);
		const reminders = new TodoReminders({ list, staleThresholdTurns: 1, reminderTemplate: '{N}:\n{todo_list}' });
		reminders.turnEnded();
		expect(reminders.due()?.text).toBe('1:\n- [pending] Fix it\n- [in_progress] Test it');
	});

	it('come after that many turns without an update, in the given words, every turn from then on [F-003-1] [F-003-2] [F-003-3] [F-003-b5] [F-003-b6]', async () => {
		const { session, client, seen } = await fakeSession([plan('pending'), ...work(4), { text: 'Done.' }], {
			profile,
			todoStaleTurns: 3
		});
		await session.submit('Go').result;
		expect(ofType(seen, 'todo_reminder').map(({ turnsSinceUpdate }) => turnsSinceUpdate)).toEqual([3, 4]);
		expect(client.requests[4]?.messages.at(-1)).toEqual({
			role: 'user',
			content: [
				{
					type: 'text',
					text:
						"[System Reminder] You have incomplete tasks that haven't been updated for 3 turns:\n- [pending] Fix it\n" +
						'Please review and continue working on them, or mark them as completed if done.'
				}
			]
		});
	});

	it('stay where they were put, a block of their own on the last user message [F-003-4]', async () => {
		const { session, client } = await fakeSession([plan('pending'), { text: 'A.' }, { text: 'B.' }], {
			profile,
			todoStaleTurns: 0
		});
		await session.submit('One').result;
		await session.submit('Two').result;
		const [, second, third] = client.requests.map(({ messages }) => messages);
		expect(third?.slice(0, second?.length)).toEqual(second);
		expect(third?.at(-1)?.content).toMatchObject([
			{ text: 'Two' },
			{ text: expect.stringMatching(/^\[System Reminder\]/) }
		]);
	});

	it('never keep the run going [F-003-5] [F-003-7] [F-001-2]', async () => {
		const { session } = await fakeSession([plan('pending'), { text: 'I stop here.' }, { text: 'never' }], {
			profile,
			todoStaleTurns: 0
		});
		expect(await session.submit('Go').result).toMatchObject({ text: 'I stop here.', turns: 2 });
	});

	it('start counting again with an update [F-003-6]', async () => {
		const turns = [plan('pending'), ...work(2), plan('in_progress'), ...work(2), { text: 'Done.' }];
		const { session, seen } = await fakeSession(turns, { profile, todoStaleTurns: 3 });
		await session.submit('Go').result;
		expect(ofType(seen, 'todo_reminder')).toHaveLength(0);
	});

	it('do not come for an empty or a finished list, nor where they are off [F-003-e1] [F-003-e2] [F-003-e3]', async () => {
		for (const [first, todoStaleTurns] of [
			[work(1)[0], 0],
			[plan('completed'), 0],
			[plan('pending'), null]
		] as const) {
			// More turns than the default threshold, which would apply if `null` did not disable reminders.
			const { session, seen, client } = await fakeSession([first ?? {}, ...work(12), { text: 'Done.' }], {
				profile,
				todoStaleTurns
			});
			await session.submit('Go').result;
			expect(client.requests).toHaveLength(14);
			expect(ofType(seen, 'todo_reminder')).toHaveLength(0);
		}
	});

	it('come every turn with a threshold of 0 [F-003-b4] [F-002-e2]', async () => {
		const { session, seen } = await fakeSession([plan('pending'), ...work(2), { text: 'Done.' }], {
			profile,
			todoStaleTurns: 0
		});
		await session.submit('Go').result;
		expect(ofType(seen, 'todo_reminder')).toHaveLength(3);
	});

	it('refuse a negative threshold [F-002-e2]', async () => {
		const environment = await temporaryEnvironment();
		const config = { client: new FakeClient([]), provider: 'f', model: 'm', systemPrompt: '', tools: [], environment };
		const todoStrategy = { staleThresholdTurns: -1, list: new TodoList() };
		const start = () => runAgentLoop({ ...config, todoStrategy }, 'Go');
		expect(start).toThrow(ConfigValidationError);
		expect(start).toThrow('staleThresholdTurns must be 0 or more');
	});

	it('are no part of a run without a strategy [F-002-3]', async () => {
		const environment = await temporaryEnvironment();
		const client = new FakeClient([plan('pending'), ...work(11), { text: 'Done.' }]);
		const run = runAgentLoop(
			{ client, provider: 'f', model: 'm', systemPrompt: '', tools: [todo, echo], environment },
			'Go'
		);
		await run.result;
		expect(JSON.stringify(client.requests)).not.toContain('System Reminder');
	});
});
