import { afterEach, describe, expect, it } from 'vitest';
import { MemoryLog, SESSION_LOG_VERSION } from '#agent/index.ts';
import { ContextLengthError, InvalidRequestError, StreamError } from '#llm/errors.ts';
import { clientFor, type Wire, wires } from '#test/llm/wires.ts';
import { type ModelServer, startModelServer } from '#test/model-server/server.ts';
import { fakeSession, ofType, typesOf } from '../fake-session.ts';
import { fakeProfile } from '../fake-tools.ts';

const cut = new StreamError({ provider: 'fake' });

let server: ModelServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

/** A log with more than a compaction keeps, so that one would request a summary. */
function longLog(): MemoryLog {
	const log = new MemoryLog();
	log.append({ type: 'session', version: SESSION_LOG_VERSION, sessionId: 's', title: '' });
	const text = 'word '.repeat(769);
	for (let index = 0; index < 40; index++)
		log.append({
			type: 'message',
			message: { role: index % 2 === 0 ? 'user' : 'assistant', content: [{ type: 'text', text }] }
		});
	return log;
}

/** Runs a session with a long conversation that may be compacted, while the server responds with a status. */
async function meet(wire: Wire, status: number, times: number) {
	const turns = [
		...Array.from({ length: times }, () => ({ fault: { kind: 'status' as const, status } })),
		{ text: 'On.' }
	];
	server = await startModelServer({ name: 'status', turns });
	const retry = { retries: 2, baseMs: 4, random: () => 0.5 };
	const { session, seen } = await fakeSession([], {
		client: clientFor(wire, server.url, { retry }),
		profile: fakeProfile(undefined, { provider: wire.provider, model: wire.model }),
		log: longLog(),
		compaction: true
	});
	const result = await session.submit('Go').result;
	return { result, seen, requests: server.requests };
}

describe.each(wires)('a refusal over $name', (wire) => {
	it('of a rate limit is waited out, longer each time, and never compacts [J.9-4.3]', async () => {
		const { result, seen, requests } = await meet(wire, 429, 2);
		expect(result).toMatchObject({ text: 'On.', stopReason: 'end_turn' });
		expect(ofType(seen, 'retry')).toMatchObject([
			{ attempt: 1, delayMs: 4, code: 'rate_limit' },
			{ attempt: 2, delayMs: 8, code: 'rate_limit' }
		]);
		expect(ofType(seen, 'context_compact')).toEqual([]);
		expect(requests).toHaveLength(3);
	});

	it('of a rate limit that stays ends the run, and never compacts [J.9-4.3]', async () => {
		const { result, seen, requests } = await meet(wire, 429, 3);
		expect(result).toMatchObject({ stopReason: 'error', error: { code: 'rate_limit' } });
		expect(ofType(seen, 'context_compact')).toEqual([]);
		expect(requests).toHaveLength(3);
	});

	it('of the key ends the run with that error: no retry, no compaction [J.9-5.6]', async () => {
		const { result, seen, requests } = await meet(wire, 401, 1);
		expect(result).toMatchObject({ stopReason: 'error', error: { code: 'authentication', status: 401 } });
		expect(ofType(seen, 'error')).toMatchObject([{ error: { code: 'authentication', message: /\w/ } }]);
		expect([...ofType(seen, 'retry'), ...ofType(seen, 'context_compact')]).toEqual([]);
		expect(requests).toHaveLength(1);
	});
});

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

describe('what a response brings', () => {
	it('is shown piece by piece as it arrives, thoughts before words, each with its whole at its end', async () => {
		const { session, seen } = await fakeSession([{ reasoning: 'Let me see.', text: 'Two tests.' }]);
		await session.submit('Go').result;
		const shown = [
			'reasoning_start',
			'reasoning_delta',
			'reasoning_end',
			'assistant_text_start',
			'assistant_text_delta',
			'assistant_text_end'
		];
		const types = typesOf(seen).filter((type) => shown.includes(type));
		expect(types.filter((type, index) => type !== types[index - 1])).toEqual(shown);
		expect(
			ofType(seen, 'reasoning_delta')
				.map(({ delta }) => delta)
				.join('')
		).toBe('Let me see.');
		expect(ofType(seen, 'reasoning_end')).toMatchObject([{ text: 'Let me see.' }]);
		expect(
			ofType(seen, 'assistant_text_delta')
				.map(({ delta }) => delta)
				.join('')
		).toBe('Two tests.');
		expect(ofType(seen, 'assistant_text_end')).toMatchObject([{ text: 'Two tests.' }]);
	});

	it('is kept with its thoughts when it breaks off for good', async () => {
		const broken = { reasoning: 'Hm.', text: 'Half', error: cut };
		const { session, client, seen } = await fakeSession([broken, broken, broken, { text: 'On.' }]);
		await session.submit('Go').result;
		expect(ofType(seen, 'reasoning_end')).toHaveLength(3);
		await session.submit('Go on').result;
		expect(client.requests[3]?.messages[1]?.content.at(-1)).toMatchObject({
			type: 'text',
			text: expect.stringMatching(/^Ha/)
		});
	});
});
