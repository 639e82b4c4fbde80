import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '#llm/errors.ts';
import { fakeSession, ofType, untilEvent } from './fake-session.ts';
import { echo, fakeProfile, fakeTool } from './fake-tools.ts';

/** Runs until its signal is aborted. */
const sleeper = fakeTool(
	'sleeper',
	(_, { signal }) =>
		new Promise((_, reject) => {
			if (signal.aborted) reject(new Error('stopped'));
			signal.addEventListener('abort', () => reject(new Error('stopped')));
		}),
	'write'
);

describe('steering and follow-ups', () => {
	it('waits for the end of the round and then reaches the model as a user message [9.6-1] [9.6-3] [9.6-4]', async () => {
		const gate = fakeTool('gate', (_, context) => {
			session.steer('Use tabs');
			return context.callId;
		});
		const { session, client, seen } = await fakeSession(
			[{ calls: [{ name: 'gate' }, { name: 'echo' }] }, { text: 'Tabs.' }],
			{
				profile: fakeProfile([gate, echo])
			}
		);
		await session.submit('Go').result;
		expect(client.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
		expect(client.requests[1]?.messages.at(-1)?.content).toEqual([{ type: 'text', text: 'Use tabs' }]);
		expect(ofType(seen, 'steering_injected')).toHaveLength(1);
		expect(session.log.entries()).toContainEqual(expect.objectContaining({ type: 'message', steering: true }));
	});

	it('does not start another round after an answer that failed, and waits for the next message', async () => {
		const { session, client } = await fakeSession([
			{ error: new InvalidRequestError({ provider: 'fake' }), onRequest: () => session.steer('One more thing') },
			{ text: 'Both.' }
		]);
		expect(await session.submit('Go').result).toMatchObject({ stopReason: 'error', turns: 1 });
		expect(client.requests).toHaveLength(1);
		await session.submit('Go on').result;
		expect(JSON.stringify(client.requests[1]?.messages)).toContain('One more thing');
	});

	it('starts another round when it comes during a final text', async () => {
		const { session, client } = await fakeSession([
			{ text: 'Done.', onRequest: () => session.steer('One more thing') },
			{ text: 'Also.' }
		]);
		expect(await session.submit('Go').result).toMatchObject({ text: 'Also.', turns: 2 });
		expect(client.requests).toHaveLength(2);
	});

	it('given while idle is delivered with the next input [S-4]', async () => {
		const { session, client } = await fakeSession([{ text: 'Ok.' }]);
		session.steer('Be brief');
		await session.submit('Go').result;
		expect(client.requests[0]?.messages[0]?.content).toMatchObject([{ text: 'Go' }, { text: 'Be brief' }]);
	});

	it('interrupts a running tool and skips the rest [J.9-1.4]', async () => {
		const { session, client, seen } = await fakeSession(
			[{ calls: [{ name: 'sleeper' }, { name: 'echo' }, { name: 'echo' }] }, { text: 'Ok.' }],
			{ profile: fakeProfile([sleeper, echo]) }
		);
		const run = session.submit('Go');
		await untilEvent(session, 'tool_call_start');
		session.steer('Not that', { interrupt: true });
		await run.result;
		expect(client.requests[1]?.messages.find(({ role }) => role === 'tool')?.content).toMatchObject([
			{ isError: true },
			{ isError: true, content: 'Skipped due to queued user message' },
			{ isError: true, content: 'Skipped due to queued user message' }
		]);
		expect(ofType(seen, 'tool_call_start')).toHaveLength(3);
		expect(ofType(seen, 'tool_call_end')).toHaveLength(3);
	});

	it('runs follow-ups after natural completion, one after another [9.6-2] [S-3] [J.9-1.5]', async () => {
		const { session, client, seen } = await fakeSession([{ text: 'A?' }, { text: 'B.' }, { text: 'C.' }]);
		const run = session.submit('One');
		session.followUp('Two');
		session.followUp('Three');
		expect((await run.result).text).toBe('A?');
		await session.close();
		expect(client.requests.map(({ messages }) => messages.length)).toEqual([1, 3, 5]);
		expect(ofType(seen, 'agent_end')).toHaveLength(3);
		expect(ofType(seen, 'state_change').map(({ to }) => to)).toEqual(['processing', 'idle', 'closed']);
	});
});
