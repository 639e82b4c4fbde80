import { describe, expect, it } from 'vitest';
import { createClient } from '#llm/client.ts';
import { findServer, knownServers, quirksOf } from '#llm/compatible/servers.ts';
import { plainQuirks } from '#llm/compatible/quirks.ts';
import { providersFromEnvironment } from '#llm/environment.ts';
import type { Message, Request } from '#llm/types.ts';
import { readTool, user } from './wires.ts';

/** Requests received by a server, and its answer: thinking in its field, then words. */
function play(name: string) {
	const sent: { url: string; headers: Headers; body: Record<string, unknown> }[] = [];
	const fetch: typeof globalThis.fetch = async (input, init) => {
		const request = new Request(input, init);
		sent.push({
			url: request.url,
			headers: request.headers,
			body: (await request.json()) as Record<string, unknown>
		});
		const chunk = (delta: unknown, finish_reason: string | null = null) =>
			`data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
		const call = { index: 0, id: 'call_a_very_long_id', function: { name: 'Read', arguments: '{"file_path":"a"}' } };
		const body =
			chunk({ reasoning_content: 'Hm.' }) +
			chunk({ content: 'Reading.' }) +
			chunk({ tool_calls: [call] }, 'tool_calls');
		return new Response(`${body}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } });
	};
	const server = findServer(name);
	if (!server) throw new Error(`${name} is not in the list.`);
	const provider = `compatible-${name}`;
	const baseUrl = server.baseUrl ?? 'https://someone.example/v1';
	const client = createClient({
		providers: {
			[provider]: {
				api: server.api,
				baseUrl,
				apiKey: 'key',
				fetch,
				...(server.headers ? { headers: server.headers } : {})
			}
		}
	});
	const ask = (messages: Message[], more: Partial<Request> = {}) =>
		client.complete({ provider, model: 'model-1', messages, tools: [readTool], ...more });
	return { sent, ask };
}

/** A turn with a call and its answer, then the user again: that request shows every quirk. */
async function converse(name: string) {
	const { sent, ask } = play(name);
	const { message } = await ask([user('Read a')], { reasoningEffort: 'high', maxTokens: 900 });
	const call = message.content.find((part) => part.type === 'tool_call');
	const answer: Message = {
		role: 'tool',
		content: [{ type: 'tool_result', callId: call?.id ?? '', toolName: 'Read', content: 'words', isError: false }]
	};
	await ask([user('Read a'), message, answer, user('And now?')]);
	const [first, second] = sent;
	return {
		first: first?.body ?? {},
		headers: first?.headers,
		messages: Object(second?.body)['messages'] as Record<string, unknown>[]
	};
}

const chatServers = knownServers.filter(({ api }) => api === 'openai-chat').map(({ name }) => name);

describe('servers that speak Chat Completions', () => {
	it('are all those of the specification, found by name [S-30]', () => {
		const wanted = ['bedrock', 'azure', 'copilot', 'xai', 'groq', 'cerebras', 'mistral', 'openrouter', 'zai', 'ollama'];
		for (const name of [...wanted, 'lmstudio', 'huggingface', 'kimi', 'vercel', 'vllm', 'deepseek', 'together'])
			expect(findServer(`compatible-${name}`)?.name, name).toBe(name);
		for (const { baseUrl, note } of knownServers) expect(baseUrl ?? note).toBeTruthy();
	});

	it('is known by its name before its address, and by its address under another name', () => {
		const mistral = findServer('mistral')?.quirks;
		expect(quirksOf('compatible-mistral', 'https://gateway.example/v1')).toEqual(mistral);
		expect(quirksOf('compatible-mine', 'https://api.mistral.ai/other')).toEqual(mistral);
		for (const other of [undefined, '', 'no address', 'https://someone.example/v1'])
			expect(quirksOf('compatible-mine', other)).toEqual(plainQuirks);
	});

	it.each(chatServers)('%s is spoken to through the one adapter [U-28, S-30]', async (name) => {
		const { first, messages, headers } = await converse(name);
		// Copied from their documentation: the list of servers would only confirm itself.
		const limit = ['azure', 'cerebras'].includes(name) ? 'max_completion_tokens' : 'max_tokens';
		const other = limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
		expect(first[limit]).toBe(900);
		expect(first).not.toHaveProperty(other);
		expect('stream_options' in first).toBe(name !== 'mistral');
		expect(messages.map(({ role }) => role).filter((role) => role !== 'assistant')).toEqual(['user', 'tool', 'user']);
		expect(headers?.get('authorization')).toBe('Bearer key');
	});

	it('Mistral gets ids of nine characters, names of tools, thinking in tags and a word after a tool [S-30]', async () => {
		const { first, messages } = await converse('mistral');
		expect(first).not.toHaveProperty('reasoning_effort');
		const [, assistant, tool, between, last] = messages;
		expect(assistant?.['content']).toBe('<thinking>\nHm.\n</thinking>\nReading.');
		expect(tool).toMatchObject({ name: 'Read', tool_call_id: expect.stringMatching(/^[a-zA-Z0-9]{9}$/) });
		expect(between?.['role']).toBe('assistant');
		expect(last).toMatchObject({ role: 'user', content: 'And now?' });
	});

	it.each(['zai', 'deepseek', 'kimi'])('%s is asked only to think, and gets its thinking back [S-30]', async (name) => {
		const { first, messages } = await converse(name);
		expect(first).toMatchObject({ thinking: { type: 'enabled' } });
		expect(first).not.toHaveProperty('reasoning_effort');
		expect(messages[1]).toMatchObject({ content: 'Reading.', reasoning_content: 'Hm.' });
	});

	it.each(['openrouter', 'vercel'])(
		'%s has an object for the effort, and takes routing options [S-30]',
		async (name) => {
			const { sent, ask } = play(name);
			await ask([user('hi')], { reasoningEffort: 'low', providerOptions: { provider: { order: ['groq'] } } });
			expect(sent[0]?.body).toMatchObject({ reasoning: { effort: 'low' }, provider: { order: ['groq'] } });
		}
	);

	it.each(['xai', 'groq', 'ollama', 'together'])(
		'%s has a word for the effort and never sees old thinking [S-30]',
		async (name) => {
			const { first, messages } = await converse(name);
			expect(first).toMatchObject({ reasoning_effort: 'high' });
			expect(JSON.stringify(messages)).not.toContain('Hm.');
		}
	);

	it('are known by their host where they have another name', async () => {
		const sent: unknown[] = [];
		const fetch: typeof globalThis.fetch = async (input, init) => {
			sent.push(await new Request(input, init).json());
			return new Response('', { status: 400 });
		};
		const providers = {
			mine: { api: 'openai-chat' as const, baseUrl: 'https://api.mistral.ai/v1', apiKey: 'k', fetch }
		};
		await createClient({ providers })
			.complete({ provider: 'mine', model: 'm', messages: [user('hi')] })
			.catch(() => undefined);
		expect(sent[0]).not.toHaveProperty('stream_options');
	});

	it('are configured by the variables they document', () => {
		const providers = providersFromEnvironment({ GROQ_API_KEY: 'g', COPILOT_TOKEN: 'c' });
		expect(providers['compatible-groq']).toMatchObject({
			api: 'openai-chat',
			apiKey: 'g',
			baseUrl: 'https://api.groq.com/openai/v1'
		});
		expect(providers['compatible-copilot']?.headers).toHaveProperty('copilot-integration-id');
		expect(Object.keys(providers)).toEqual(['compatible-copilot', 'compatible-groq']);
	});
});
