import { afterEach, describe, expect, it } from 'vitest';
import { ContextLengthError } from '#llm/errors.ts';
import type { Scenario, ScenarioFault } from '#llm/scenario/types.ts';
import { clientFor, wires } from '#test/llm/wires.ts';
import { startModelServer, type ModelServer } from '#test/model-server/server.ts';
import { FakeClient } from './fake-client.ts';
import { fakeSession, ofType } from './fake-session.ts';
import { fakeProfile, fakeTool } from './fake-tools.ts';

const anthropicBody = JSON.stringify({
	type: 'error',
	error: { type: 'invalid_request_error', message: 'prompt is too long: 213462 tokens > 200000 maximum' }
});
const openaiError = {
	message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
	type: 'invalid_request_error',
	param: 'input',
	code: 'context_length_exceeded'
};
const chatError = {
	message:
		"This model's maximum context length is 128000 tokens. However, your messages resulted in 150012 tokens. Please reduce the length of the messages.",
	type: 'invalid_request_error',
	param: 'messages',
	code: 'context_length_exceeded'
};
const geminiError = {
	code: 400,
	message: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
	status: 'INVALID_ARGUMENT'
};
const status = (body: unknown, code = 400): ScenarioFault => ({
	kind: 'status',
	status: code,
	body: typeof body === 'string' ? body : JSON.stringify(body)
});
/** Frames of a stream that began with status 200. */
const stream = (...frames: { event?: string; data: unknown }[]): ScenarioFault => ({
	kind: 'garbage',
	body: frames.map(({ event, data }) => `${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`).join('')
});

const responsesFrame = (type: string, more: object) => ({ event: type, data: { type, sequence_number: 1, ...more } });
const openResponse = { id: 'resp_1', object: 'response', status: 'in_progress', output: [] };

/** Errors of each provider, sent instead of a response or in the middle of one. */
const overflows: [wire: string, where: string, fault: ScenarioFault][] = [
	['anthropic', 'with status 400', status(anthropicBody)],
	[
		'anthropic',
		'with status 413',
		status({ type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } }, 413)
	],
	[
		'anthropic',
		'in the middle of the stream',
		stream(
			{
				event: 'message_start',
				data: {
					type: 'message_start',
					message: {
						id: 'msg_1',
						type: 'message',
						role: 'assistant',
						model: 'claude-opus-4-6',
						content: [],
						stop_reason: null,
						stop_sequence: null,
						usage: { input_tokens: 10, output_tokens: 1 }
					}
				}
			},
			{
				event: 'content_block_start',
				data: { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
			},
			{
				event: 'content_block_delta',
				data: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half an ans' } }
			},
			{ event: 'error', data: JSON.parse(anthropicBody) as unknown }
		)
	],
	['openai-responses', 'with status 400', status({ error: openaiError })],
	[
		'openai-responses',
		'as a failed response',
		stream(
			responsesFrame('response.created', { response: openResponse }),
			responsesFrame('response.failed', {
				response: { ...openResponse, status: 'failed', error: { code: openaiError.code, message: openaiError.message } }
			})
		)
	],
	[
		'openai-responses',
		'as an error event',
		stream(
			responsesFrame('response.created', { response: openResponse }),
			responsesFrame('error', { code: openaiError.code, message: openaiError.message, param: null })
		)
	],
	['openai-chat', 'with status 400', status({ error: chatError })],
	[
		'openai-chat',
		'in the middle of the stream',
		stream(
			{
				data: {
					id: 'c1',
					object: 'chat.completion.chunk',
					created: 1,
					model: 'local-model',
					choices: [{ index: 0, delta: { role: 'assistant', content: 'Half an ans' }, finish_reason: null }]
				}
			},
			{ data: { error: chatError } }
		)
	],
	['gemini', 'with status 400', status({ error: geminiError })],
	[
		'gemini',
		'in the middle of the stream',
		stream(
			{ data: { candidates: [{ content: { role: 'model', parts: [{ text: 'Half an ans' }] } }] } },
			{ data: { error: geminiError } }
		)
	]
];

let server: ModelServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

async function sessionOver(wireName: string, compaction: boolean, turns: Scenario['turns']) {
	server = await startModelServer({ name: 'overflow', turns });
	const wire = wires.find(({ name }) => name === wireName);
	if (!wire) throw new Error(wireName);
	const { provider, model } = wire;
	const profile = fakeProfile(undefined, { provider, model, maxOutputTokens: 1_000 });
	const client = clientFor(wire, server.url);
	return fakeSession([], { client, profile, compaction });
}

const lastAnswer = 'It goes on.';

describe('a context overflow', () => {
	it.each(overflows)('of %s, %s, compacts and tries the turn again once', async (wire, _where, fault) => {
		const { session, seen } = await sessionOver(wire, true, [
			{ text: 'Alpha. '.repeat(300) },
			{ fault },
			{ text: 'A short summary.' },
			{ text: lastAnswer }
		]);
		await session.submit('First. '.repeat(300)).result;
		const result = await session.submit('Second').result;
		expect(result).toMatchObject({ stopReason: 'end_turn', text: lastAnswer });
		expect(session.state).toBe('idle');
		expect(ofType(seen, 'context_compact')).toMatchObject([{ success: true }]);
		expect(ofType(seen, 'error')).toEqual([]);
		expect(JSON.stringify(session.conversation.messages)).not.toContain('Half an ans');
	});

	it.each(overflows)('of %s, %s, leaves the session open where compaction is off', async (wire, _where, fault) => {
		const { session, seen } = await sessionOver(wire, false, [{ text: 'One.' }, { fault }, { text: lastAnswer }]);
		await session.submit('First').result;
		const result = await session.submit('Second').result;
		expect(result).toMatchObject({ stopReason: 'error', error: { code: 'context_length' } });
		expect(session.state).toBe('idle');
		expect(ofType(seen, 'error')).toMatchObject([{ error: { code: 'context_length' } }]);
		expect((await session.submit('Third').result).text).toBe(lastAnswer);
	});
});

const tooLong = () => new ContextLengthError({ provider: 'fake' });
const long = 'Words and words. '.repeat(200);

describe('compaction after an overflow', () => {
	it('is not tried twice for one turn, and the session stays open', async () => {
		const { session, client } = await fakeSession(
			[{ text: long }, { error: tooLong() }, { error: tooLong() }, { text: 'Later.' }],
			{ compaction: true }
		);
		await session.submit(long).result;
		expect(await session.submit('Go on').result).toMatchObject({ error: { code: 'context_length' } });
		expect(session.state).toBe('idle');
		expect(client.completions).toHaveLength(1);
		expect((await session.submit('And now?').result).text).toBe('Later.');
	});

	it('leaves more and more out while its own request does not fit', async () => {
		const lengths: number[] = [];
		const client = new FakeClient([{ text: long }, { error: tooLong() }, { text: 'Answered.' }], {
			complete: ({ messages }) => {
				const { length } = JSON.stringify(messages);
				lengths.push(length);
				if (length > 6_000) throw tooLong();
				return 'A summary.';
			}
		});
		const { session, seen } = await fakeSession([], { client, compaction: true });
		await session.submit(long.repeat(4)).result;
		expect((await session.submit('Go on').result).text).toBe('Answered.');
		expect(lengths.length).toBeGreaterThan(1);
		expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
		expect(ofType(seen, 'context_compact')).toMatchObject([{ success: true }]);
	});

	it('ends where no request fits, and says what else was done', async () => {
		const client = new FakeClient(
			[{ calls: [{ name: 'big' }] }, { text: 'Read.' }, { error: tooLong() }, { text: 'Answered.' }],
			{
				complete: () => {
					throw tooLong();
				}
			}
		);
		const big = fakeTool('big', () => 'x'.repeat(20_000));
		const { session, seen } = await fakeSession([], { client, compaction: true, profile: fakeProfile([big]) });
		await session.submit(long.repeat(4)).result;
		expect((await session.submit(long).result).text).toBe('Answered.');
		expect(client.completions.length).toBeLessThan(10);
		expect(ofType(seen, 'warning')).toMatchObject([{ code: 'compaction_fallback' }]);
		expect(JSON.stringify(client.requests.at(-1)?.messages)).toContain('characters removed to save context');
	});

	it('shortens outputs of tools where the messages themselves cannot go', async () => {
		const big = fakeTool('big', () => 'x'.repeat(20_000));
		const { session, client } = await fakeSession(
			[{ calls: [{ name: 'big' }] }, { error: tooLong() }, { text: 'Answered.' }],
			{ compaction: true, profile: fakeProfile([big]) }
		);
		expect((await session.submit('Go').result).text).toBe('Answered.');
		expect(JSON.stringify(client.requests.at(-1)?.messages).length).toBeLessThan(5_000);
	});

	it('keeps less than the window of a small model', async () => {
		const usage = { inputTokens: 1_800 };
		const { session, client } = await fakeSession([{ text: long, usage }, { text: long, usage }, { text: 'Ok.' }], {
			compaction: true,
			profile: fakeProfile(undefined, { contextWindowTokens: 2_000 })
		});
		await session.submit(long).result;
		await session.submit('More').result;
		await session.submit('And more').result;
		expect(client.completions.length).toBeGreaterThan(0);
		expect(JSON.stringify(client.requests.at(-1)?.messages).length).toBeLessThan(8_000);
	});

	it('says so where the user asks for one and there is nothing to sum up', async () => {
		const { session, seen } = await fakeSession([]);
		expect(await session.compact()).toBe(false);
		expect(ofType(seen, 'warning')).toMatchObject([{ code: 'nothing_compacted' }]);
	});
});
