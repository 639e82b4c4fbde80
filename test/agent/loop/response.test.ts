import { describe, expect, it } from 'vitest';
import { ContextLengthError, InvalidRequestError, RateLimitError, StreamError } from '#llm/errors.ts';
import { fakeSession, ofType } from '../fake-session.ts';

const cut = new StreamError({ provider: 'fake' });

describe('a response that fails', () => {
	it('is asked for again when it broke off in the middle, with a pair of events each', async () => {
		const { session, seen, client } = await fakeSession([{ text: 'Half of th', error: cut }, { text: 'The whole.' }]);
		expect(await session.submit('Go').result).toMatchObject({ text: 'The whole.', turns: 1 });
		expect(ofType(seen, 'message_start')).toHaveLength(2);
		expect(ofType(seen, 'message_end').map(({ stopReason }) => stopReason)).toEqual(['error', 'stop']);
		expect(ofType(seen, 'retry')).toMatchObject([{ attempt: 1, code: 'stream' }]);
		expect(client.requests[1]?.messages).toHaveLength(1);
	});

	it('ends the run with the error after two more tries, and keeps what had arrived [J.9-5.1]', async () => {
		const broken = { text: 'Half of it', error: cut };
		const { session, client } = await fakeSession([broken, broken, broken, { text: 'On.' }]);
		expect(await session.submit('Go').result).toMatchObject({ stopReason: 'error', error: { code: 'stream' } });
		expect(client.requests).toHaveLength(3);
		expect(session.state).toBe('idle');
		await session.submit('Go on').result;
		expect(client.requests[3]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
	});

	it('never compacts because of a rate limit [J.9-4.3]', async () => {
		const { session, client } = await fakeSession([{ error: new RateLimitError({ provider: 'fake' }) }], {
			compaction: true
		});
		await session.submit('Go').result;
		expect(client.completions).toHaveLength(0);
	});

	it('goes on without its thinking when the provider refuses how it was sent back, and does not compact [J.9-5.3]', async () => {
		const refused = new InvalidRequestError({ provider: 'fake', message: 'thinking blocks cannot be modified' });
		const { session, client } = await fakeSession(
			[{ reasoning: 'Hm', text: 'A.' }, { error: refused }, { text: 'B.' }],
			{ compaction: true }
		);
		await session.submit('One').result;
		expect((await session.submit('Two').result).text).toBe('B.');
		expect(JSON.stringify(client.requests[2]?.messages)).not.toContain('thinking');
		expect(client.completions).toHaveLength(0);
	});

	it('is asked for again after a compaction when it was too long', async () => {
		const long = 'word '.repeat(30_000);
		const { session, client, seen } = await fakeSession(
			[{ text: 'A.' }, { text: 'B.' }, { error: new ContextLengthError({ provider: 'fake' }) }, { text: 'C.' }],
			{ compaction: true }
		);
		await session.submit(long).result;
		await session.submit('Two').result;
		expect((await session.submit('Three').result).text).toBe('C.');
		expect(client.completions).toHaveLength(1);
		expect(ofType(seen, 'context_compact')).toMatchObject([{ success: true }]);
	});
});
