import { describe, expect, it } from 'vitest';
import type { SubagentHost, ToolContext } from '#agent/tool.ts';
import { askUser } from '#agent/tools/ask-user.ts';
import { closeAgent } from '#agent/tools/close-agent.ts';
import { sendInput } from '#agent/tools/send-input.ts';
import { spawnAgent } from '#agent/tools/spawn-agent.ts';
import { todo } from '#agent/tools/todo.ts';
import { wait } from '#agent/tools/wait.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { createHarness } from '#test/contract/tools/harness.ts';

/** Subagents, some of which are done, and the requests made to them. */
function agents(done: string[] = [], failed: string[] = []) {
	const asked: unknown[] = [];
	const host: SubagentHost = {
		spawn: (options) => (asked.push(options), Promise.resolve({ agentId: 'a1', status: 'running' })),
		send: (...given) => (asked.push(given), Promise.resolve('Sent.')),
		wait: (id) => Promise.resolve({ output: `Output of ${id}.`, success: !failed.includes(id), turns: 2 }),
		anyDone: (ids, timeoutMs) => (
			asked.push([[...ids], timeoutMs]),
			Promise.resolve(ids.filter((id) => done.includes(id)))
		),
		close: (id) => (asked.push(id), Promise.resolve('Closed.'))
	};
	return { asked, context: createHarness({} as ExecutionEnvironment, { agents: host }).context };
}
const alone = (overrides: Partial<ToolContext> = {}) => createHarness({} as ExecutionEnvironment, overrides);

describe('an agent that is started', () => {
	it('gets what the call says, and nothing that it does not', async () => {
		const { asked, context } = agents();
		expect(await spawnAgent.execute({ task: 'Look' }, context)).toEqual({
			content: 'Agent a1: running',
			details: { agentId: 'a1', status: 'running' },
			isError: false
		});
		await spawnAgent.execute({ task: 'Look', working_dir: 'src', model: 'm', max_turns: 0, overlay: false }, context);
		expect(asked.map((options) => Object.keys(options as object))).toEqual([
			['task'],
			['task', 'workingDirectory', 'model', 'maxTurns', 'overlay']
		]);
		expect(asked[1]).toEqual({ task: 'Look', workingDirectory: 'src', model: 'm', maxTurns: 0, overlay: false });
	});

	it('is run and waited for in one call', async () => {
		const { asked, context } = agents(['a1']);
		expect((await spawnAgent.execute({ task: 'Look', returns_result: true }, context)).content).toBe(
			'Output of a1.\n\n[Agent a1: completed, 2 turns used]'
		);
		await spawnAgent.execute({ task: 'Look', model: 'm', returns_result: true }, context);
		expect(asked).toEqual([{ task: 'Look' }, [['a1'], undefined], { task: 'Look', model: 'm' }, [['a1'], undefined]]);
		expect(Object.keys(asked[0] as object)).toEqual(['task']);
	});

	it('gets messages and is closed', async () => {
		const { asked, context } = agents();
		expect(await sendInput.execute({ agent_id: 'a1', message: 'On.' }, context)).toEqual({
			content: 'Sent.',
			details: { agentId: 'a1' },
			isError: false
		});
		expect(await closeAgent.execute({ agent_id: 'a1' }, context)).toEqual({
			content: 'Closed.',
			details: { agentId: 'a1' },
			isError: false
		});
		expect(asked).toEqual([['a1', 'On.'], 'a1']);
	});

	it.each([
		['spawn_agent', (context: ToolContext) => spawnAgent.execute({ task: 'x' }, context)],
		['wait', (context: ToolContext) => wait.execute({ agent_id: 'a' }, context)],
		['send_input', (context: ToolContext) => sendInput.execute({ agent_id: 'a', message: 'x' }, context)],
		['close_agent', (context: ToolContext) => closeAgent.execute({ agent_id: 'a' }, context)]
	])('cannot be where no further ones may: %s', async (_, call) => {
		await expect(call(alone().context)).rejects.toMatchObject({
			name: 'ToolError',
			message: 'No further agents can be started from here. Do the work yourself.'
		});
	});
});

describe('a wait for agents', () => {
	it('gives the results of those that are done, and names the others', async () => {
		const { asked, context } = agents(['a', 'c'], ['c']);
		expect(await wait.execute({ agent_id: ['a', 'b', 'a', 'c'], timeout_ms: 5 }, context)).toEqual({
			content:
				'Output of a.\n\n[Agent a: completed, 2 turns used]\n\nOutput of c.\n\n[Agent c: failed, 2 turns used]\n\n[Still working: b. Wait again for the rest.]',
			details: {
				results: [
					{ agentId: 'a', output: 'Output of a.', success: true, turns: 2 },
					{ agentId: 'c', output: 'Output of c.', success: false, turns: 2 }
				],
				working: ['b']
			},
			isError: false
		});
		expect(asked).toEqual([[['a', 'b', 'c'], 5]]);
	});

	it('is a failure where all that are done failed, and none where nobody is done', async () => {
		const failed = agents(['a'], ['a']);
		expect(await wait.execute({ agent_id: 'a' }, failed.context)).toMatchObject({
			isError: true,
			details: { agentId: 'a', success: false }
		});
		expect(await wait.execute({ agent_id: 'b' }, failed.context)).toEqual({
			content: '[Still working: b. Wait again for the rest.]',
			details: { results: [], working: ['b'] },
			isError: false
		});
	});
});

it('replaces the task list, and says how much of it is done', async () => {
	const { context, todo: items } = alone();
	const todos = [
		{ content: 'One', status: 'completed' as const },
		{ content: 'Two', status: 'pending' as const }
	];
	expect(await todo.execute({ todos }, context)).toEqual({
		content: 'The task list has 2 items, 1 completed.',
		details: { todos },
		isError: false
	});
	expect(items).toEqual(todos);
	expect((await todo.execute({ todos: [] }, context)).content).toBe('The task list is empty.');
});

it('asks the user where there is one, and says what to do where there is none', async () => {
	const asked: unknown[] = [];
	const { context } = alone({ askUser: (...given) => (asked.push(given), Promise.resolve('blue')) });
	expect(await askUser.execute({ question: 'Which?', options: ['red', 'blue'], multiple: true }, context)).toEqual({
		content: 'blue',
		details: { question: 'Which?', answer: 'blue' },
		isError: false
	});
	expect(asked).toEqual([['Which?', ['red', 'blue'], true]]);
	await expect(askUser.execute({ question: 'Which?' }, alone().context)).rejects.toThrow(
		'There is no user to answer here. Decide yourself, and state in your final answer what you assumed.'
	);
});
