import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ServerError } from '#llm/errors.ts';
import { generateObject, NoObjectGeneratedError } from '#llm/object.ts';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { type ModelServer, startModelServer } from '#test/model-server/server.ts';
import { ask, clientFor, wires } from './wires.ts';

let server: ModelServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

const schema = z.object({ title: z.string(), words: z.number().int() });
/** An answer through the tool, for wires that have nothing of their own. */
const call = (args: Record<string, unknown>): ScenarioTurn => ({ toolCalls: [{ name: 'answer', arguments: args }] });
const closed = {
	type: 'object',
	properties: { title: { type: 'string' }, words: { type: 'integer' } },
	required: ['title', 'words'],
	additionalProperties: false
};
/** The part of a request that asks for the schema, as each provider's documentation has it. */
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
