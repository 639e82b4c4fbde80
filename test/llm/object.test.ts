import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
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
const answer = (args: Record<string, unknown>, rawArguments?: string): ScenarioTurn => ({
	toolCalls: [{ name: 'answer', arguments: args, ...(rawArguments === undefined ? {} : { rawArguments }) }]
});

describe.each(wires)('an object from $name', (wire) => {
	async function generate(...turns: ScenarioTurn[]) {
		server = await startModelServer({ name: 'test', turns });
		return generateObject(clientFor(wire, server.url), ask(wire, 'Name it'), schema);
	}

	it('is what the schema says [U-30]', async () => {
		const { object } = await generate(answer({ title: 'Mend the sum', words: 3 }));
		expect(object).toEqual({ title: 'Mend the sum', words: 3 });
		expect(JSON.stringify(server?.requests[0]?.body)).toContain('"words"');
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
