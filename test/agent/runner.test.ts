import { describe, expect, it, vi } from 'vitest';
import { AgentRunner, type AgentLoopConfig, type RunnerCallbacks } from '#agent/index.ts';
import { ServerError } from '#llm/errors.ts';
import type { Message } from '#llm/types.ts';
import { FakeClient, type FakeTurn } from './fake-client.ts';
import { temporaryEnvironment } from './fake-session.ts';
import { echo } from './fake-tools.ts';

async function runner(
	turns: FakeTurn[],
	callbacks: RunnerCallbacks = {},
	more: Partial<AgentLoopConfig> & { history?: Message[] } = {}
): Promise<{ runner: AgentRunner; client: FakeClient }> {
	const client = new FakeClient(turns);
	const environment = await temporaryEnvironment();
	const { history, ...changes } = more;
	const config: AgentLoopConfig = {
		client,
		provider: 'fake',
		model: 'fake-1',
		systemPrompt: 'You help.',
		tools: [echo],
		environment,
		...changes
	};
	return { runner: new AgentRunner(config, callbacks, history), client };
}

const call: FakeTurn = { text: 'Looking', calls: [{ name: 'echo', arguments: { text: 'out' } }] };

describe('AgentRunner', () => {
	it('turns the events of a run into callbacks [F-006-1] [F-006-2]', async () => {
		const told: unknown[] = [];
		const { runner: agent } = await runner([call, { text: 'Done' }], {
			onToolCall: ({ name }) => told.push(['call', name]),
			onToolResult: ({ output, isError }) => told.push(['result', output, isError]),
			onUsage: ({ inputTokens }) => told.push(['usage', inputTokens]),
			onMessagePart: (delta) => told.push(delta)
		});
		expect((await agent.run('Go')).text).toBe('Done');
		expect(told).toEqual([
			'Look',
			'ing',
			['usage', 10],
			['call', 'echo'],
			['result', 'out', false],
			'Done',
			['usage', 10]
		]);
	});

	it('keeps the history from run to run', async () => {
		const { runner: agent, client } = await runner([{ text: 'One' }, { text: 'Two' }]);
		await agent.run('First');
		await agent.run('Second');
		expect(client.requests[1]?.messages).toHaveLength(3);
	});

	it('begins with the history that it is given, which stays the host’s own', async () => {
		const history: Message[] = [
			{ role: 'user', content: [{ type: 'text', text: 'Before' }] },
			{ role: 'assistant', content: [{ type: 'text', text: 'Earlier.' }] }
		];
		const { runner: agent, client } = await runner([{ text: 'Now' }], {}, { history, host: {} });
		await agent.run('Go');
		expect(client.requests[0]?.messages.slice(0, 2)).toEqual(history);
		expect([agent.history.length, history.length]).toEqual([4, 2]);
	});

	it('asks no stop hook of a run that was stopped', async () => {
		const onStop = vi.fn(() => 'Go on');
		const { runner: agent } = await runner([], { onStop }, { abortSignal: AbortSignal.abort() });
		expect((await agent.run('Go')).stopReason).toBe('aborted');
		expect(onStop).not.toHaveBeenCalled();
	});

	it('takes one turn a step', async () => {
		const { runner: agent, client } = await runner([call, { text: 'Done' }]);
		expect(await agent.step('Go')).toMatchObject({ turns: 1, stopReason: 'max_iterations' });
		expect(await agent.step()).toMatchObject({ text: 'Done', stopReason: 'end_turn' });
		expect(client.requests.map(({ messages }) => messages.length)).toEqual([1, 3]);
	});

	it('asks the stop hook once, which may want one more round [F-006-5]', async () => {
		const roundsBefore: number[] = [];
		const onStop = vi.fn(() => {
			roundsBefore.push(client.requests.length);
			return 'Check it again';
		});
		const { runner: agent, client } = await runner([call, { text: 'Done' }, { text: 'Checked' }], { onStop });
		expect((await agent.run('Go')).text).toBe('Checked');
		expect(onStop).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ text: 'Done', stopReason: 'end_turn' }));
		expect(roundsBefore).toEqual([2]);
		expect(client.requests).toHaveLength(3);
		expect(client.requests[2]?.messages.at(-1)?.content).toEqual([{ type: 'text', text: 'Check it again' }]);
	});

	it('gives back a failure as a result [F-006-e1]', async () => {
		const { runner: agent } = await runner([{ error: new ServerError({ provider: 'fake' }) }]);
		expect(await agent.run('Go')).toMatchObject({ stopReason: 'error', error: { code: 'server' } });
	});

	it('reports a callback that throws and goes on [F-006-e2]', async () => {
		const onCallbackError = vi.fn();
		const onToolCall = (): never => {
			throw new Error('callback broke');
		};
		const { runner: agent } = await runner([call, { text: 'Done' }], { onToolCall, onCallbackError });
		expect((await agent.run('Go')).text).toBe('Done');
		expect(onCallbackError).toHaveBeenCalledExactlyOnceWith(
			'onToolCall',
			expect.objectContaining({ message: 'callback broke' })
		);
		const { runner: silent } = await runner([call, { text: 'Done' }], { onToolCall });
		expect((await silent.run('Go')).text).toBe('Done');
	});

	it('reports a stop hook that throws, and keeps the result', async () => {
		const onCallbackError = vi.fn();
		const onStop = (): never => {
			throw new Error('hook broke');
		};
		const { runner: agent, client } = await runner([{ text: 'Done' }], { onStop, onCallbackError });
		expect((await agent.run('Go')).text).toBe('Done');
		expect(onCallbackError).toHaveBeenCalledExactlyOnceWith(
			'onStop',
			expect.objectContaining({ message: 'hook broke' })
		);
		expect(client.requests).toHaveLength(1);
		const { runner: silent } = await runner([{ text: 'Done' }], { onStop });
		expect((await silent.run('Go')).text).toBe('Done');
	});
});
