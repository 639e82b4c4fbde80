import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InvalidRequestError, ServerError } from '#llm/errors.ts';
import { generateObject, NoObjectGeneratedError } from '#llm/object.ts';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import type { ContentPart, Request, Response } from '#llm/types.ts';
import { type ModelServer, startModelServer } from '#test/model-server/server.ts';
import { ask, clientFor, wires } from './wires.ts';

let server: ModelServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

const schema = z.object({ title: z.string(), words: z.number().int() });
/** An answer through the tool, for wires without native support. */
const call = (args: Record<string, unknown>): ScenarioTurn => ({ toolCalls: [{ name: 'answer', arguments: args }] });
const closed = {
	type: 'object',
	properties: { title: { type: 'string' }, words: { type: 'integer' } },
	required: ['title', 'words'],
	additionalProperties: false
};
/** The part of a request that requires the schema, as in each provider's documentation. */
const native: Record<string, object> = {
	anthropic: { output_config: { format: { type: 'json_schema', schema: closed } } },
	'openai-responses': { text: { format: { type: 'json_schema', name: 'answer', strict: true, schema: closed } } },
	gemini: { generationConfig: { responseMimeType: 'application/json', responseJsonSchema: closed } }
};

describe.each(wires)('an object from $name', (wire) => {
	const answer = (args: Record<string, unknown>): ScenarioTurn =>
		native[wire.name] ? { text: JSON.stringify(args) } : call(args);
	async function generate(...turns: ScenarioTurn[]) {
		server = await startModelServer({ name: 'test', turns });
		return generateObject(clientFor(wire, server.url), ask(wire, 'Name it'), schema);
	}

	it('is what the schema says [U-30]', async () => {
		const { object } = await generate(answer({ title: 'Mend the sum', words: 3 }));
		expect(object).toEqual({ title: 'Mend the sum', words: 3 });
		const body = Object(server?.requests[0]?.body);
		expect(server?.requests).toHaveLength(1);
		if (native[wire.name]) {
			expect(body).toMatchObject(native[wire.name] ?? {});
			expect(body).not.toHaveProperty('tools');
		} else expect(body.tools).toMatchObject([{ function: { name: 'answer' } }]);
	});

	it('is asked for again, with what was wrong, when it does not fit [U-30]', async () => {
		const { object } = await generate(answer({ title: 'Mend' }), answer({ title: 'Mend', words: 1 }));
		expect(object).toEqual({ title: 'Mend', words: 1 });
		expect(JSON.stringify(server?.requests[1]?.body)).toContain('That does not fit: words');
	});

	it('may come as a text that is JSON [U-30]', async () => {
		const { object } = await generate({ text: '```json\n{"title":"Mend","words":1}\n```' });
		expect(object).toEqual({ title: 'Mend', words: 1 });
	});

	it('is refused when neither answer fits, with what the model said [U-30]', async () => {
		const failed = generate({ text: 'I would rather not.' }, { text: 'Really.' });
		await expect(failed).rejects.toBeInstanceOf(NoObjectGeneratedError);
		await expect(failed).rejects.toMatchObject({ text: 'Really.' });
	});
});

it.each(wires.filter(({ name }) => native[name]))(
	'an object from $name comes through a tool when the provider refuses the schema',
	async (wire) => {
		const refused: ScenarioTurn = { fault: { kind: 'status', status: 400 } };
		server = await startModelServer({ name: 'test', turns: [refused, call({ title: 'Mend', words: 1 })] });
		const { object } = await generateObject(clientFor(wire, server.url), ask(wire, 'Name it'), schema);
		expect(object).toEqual({ title: 'Mend', words: 1 });
		const [first, second] = server.requests;
		expect(first?.body).toMatchObject(native[wire.name] ?? {});
		expect(JSON.stringify(second?.body)).toContain('"answer"');
		expect(JSON.stringify(second?.body)).not.toMatch(/json_schema|responseJsonSchema/);
	}
);

it('is not asked for in another way where the provider failed for another reason', async () => {
	const asked: unknown[] = [];
	const failing = {
		stream: () => {
			throw new Error('It is not streamed.');
		},
		complete: (request: unknown) => (asked.push(request), Promise.reject(new ServerError({ provider: 'p' })))
	};
	await expect(generateObject(failing as never, { model: 'm', messages: [] } as never, schema)).rejects.toThrow(
		ServerError
	);
	expect(asked).toHaveLength(1);
});

describe('an object that did not fit at first', () => {
	/** A model that answers with these messages, and rejects a response format if it does not support one. */
	async function generate(contents: ContentPart[][], hasFormat: boolean) {
		const requests: Request[] = [];
		const client = {
			stream: () => {
				throw new Error('Nothing is streamed.');
			},
			complete: (request: Request) => {
				if (request.responseFormat && !hasFormat)
					return Promise.reject(new InvalidRequestError({ provider: 'p', message: 'No formats.' }));
				requests.push(request);
				const message = { role: 'assistant' as const, content: contents[requests.length - 1] ?? [] };
				return Promise.resolve({ message } as Response);
			}
		};
		const request = { provider: 'p', model: 'm', messages: [] };
		const outcome = await generateObject(client, request, schema).then(
			({ object }) => object,
			(error: unknown) => error
		);
		return { outcome, requests };
	}
	const said = (text: string): ContentPart[] => [{ type: 'text', text }];
	const called = (args: Record<string, unknown>, more: object = {}): ContentPart[] => [
		{ type: 'text', text: 'Here.' },
		{ type: 'tool_call', id: 'c1', name: 'answer', arguments: args, ...more }
	];
	const right = { title: 'Mend', words: 1 };

	it('is corrected in the result of its call', async () => {
		const { outcome, requests } = await generate([called({ title: 'Mend', words: 'one' }), called(right)], false);
		expect(outcome).toEqual(right);
		const [first, second] = requests[1]?.messages ?? [];
		expect(first?.content).toHaveLength(2);
		expect(second).toMatchObject({ role: 'tool', content: [{ callId: 'c1', toolName: 'answer', isError: true }] });
		expect(JSON.stringify(second)).toMatch(/That does not fit: words: .+ Call answer again with all of it\./);
	});

	it('is corrected by a message where it was text', async () => {
		const { outcome, requests } = await generate([said('Mend it'), said(JSON.stringify(right))], true);
		expect(outcome).toEqual(right);
		expect(requests[1]?.messages).toEqual([
			{ role: 'assistant', content: said('Mend it') },
			{ role: 'user', content: said('That does not fit: it is not valid JSON. Give all of it again.') }
		]);
	});

	it('leaves no empty message behind where nothing was said', async () => {
		const { requests } = await generate([[], said(JSON.stringify(right))], true);
		expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['user']);
	});

	it('is read from a call whose JSON was broken', async () => {
		const raw = { rawArguments: JSON.stringify(right) };
		expect((await generate([called({}, raw)], false)).outcome).toEqual(right);
		const broken = { rawArguments: '{"title"' };
		const { outcome } = await generate([called({}, broken), called({}, broken)], false);
		expect(outcome).toMatchObject({ text: '{"title"', message: expect.stringContaining('it is not valid JSON.') });
	});

	it.each([
		['```json\n{"title":"Mend","words":1}\n```'],
		['```\n{"title":"Mend",\n"words":1}\n```'],
		['\n  ```json\n{"title":"Mend","words":1}\n```  \n']
	])('is read from a fence: %j', async (text) => {
		expect((await generate([said(text)], true)).outcome).toEqual(right);
	});

	it.each([
		['Here: ```json\n{"title":"Mend","words":1}\n```'],
		['```json\n{"title":"Mend","words":1}\n``` Done.'],
		['```yaml\n{"title":"Mend","words":1}\n```']
	])('is not picked out of other text: %j', async (text) => {
		const { outcome, requests } = await generate([said(text), said(text)], true);
		expect(requests).toHaveLength(2);
		expect(outcome).toMatchObject({ name: 'NoObjectGeneratedError', text, issues: 'it is not valid JSON.' });
	});

	it('is read from text in several parts, thoughts left out', async () => {
		const parts: ContentPart[] = [
			{ type: 'thinking', text: 'Let me see.' },
			{ type: 'text', text: '{"title":' },
			{ type: 'text', text: '"Mend","words":1}' }
		];
		expect((await generate([parts], true)).outcome).toEqual(right);
	});

	it('is refused with everything that did not fit, and where', async () => {
		const { outcome } = await generate([called({ words: 'one' }), called({ words: 'one' })], false);
		expect(outcome).toMatchObject({ issues: expect.stringMatching(/^title: .+\. words: .+\.$/) });
		const list = await generate([said('[]'), said('[]')], true);
		expect(list.outcome).toMatchObject({ issues: expect.stringMatching(/^it: .+\.$/) });
	});

	it('is asked for through a tool that must be called, without thinking', async () => {
		const { requests } = await generate([called(right)], false);
		expect(requests[0]).toMatchObject({
			reasoningEffort: 'none',
			toolChoice: { name: 'answer' },
			tools: [{ name: 'answer', description: expect.stringContaining('once') }]
		});
		expect(requests[0]).not.toHaveProperty('responseFormat');
	});

	it('may leave out what has a default', async () => {
		const withDefault = z.object({ title: z.string(), words: z.number().default(2) });
		const requests: Request[] = [];
		const client = {
			stream: () => {
				throw new Error('Nothing is streamed.');
			},
			complete: (request: Request) => {
				requests.push(request);
				const message = { role: 'assistant' as const, content: said('{"title":"Mend"}') };
				return Promise.resolve({ message } as Response);
			}
		};
		const { object } = await generateObject(client, { provider: 'p', model: 'm', messages: [] }, withDefault);
		expect(object).toEqual({ title: 'Mend', words: 2 });
		expect(requests[0]?.responseFormat?.schema).toMatchObject({ required: ['title'] });
	});
});
