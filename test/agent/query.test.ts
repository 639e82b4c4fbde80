import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { query, tool } from '#agent/index.ts';
import { FakeClient, type FakeTurn } from './fake-client.ts';
import { fakeSession, ofType, temporaryEnvironment } from './fake-session.ts';
import { fakeProfile } from './fake-tools.ts';

describe('query', () => {
	it('runs one task to its result, with its events, and closes the session', async () => {
		const { client } = await fakeSession([{ text: 'Two tests.' }]);
		const run = query({
			prompt: 'How many?',
			profile: fakeProfile([]),
			environment: await temporaryEnvironment(),
			client,
			mode: 'full'
		});
		const types: string[] = [];
		for await (const event of run) types.push(event.type);
		expect(types).toEqual(expect.arrayContaining(['agent_start', 'assistant_text_end', 'agent_end']));
		expect(await run.result).toMatchObject({ text: 'Two tests.', stopReason: 'end_turn' });
	});

	describe('with a schema', () => {
		const schema = z.object({ tests: z.number(), failing: z.array(z.string()).optional() });
		const outcome = async (turns: FakeTurn[], complete: () => string) => {
			const { client } = await fakeSession(turns, { client: new FakeClient(turns, { complete }) });
			const environment = await temporaryEnvironment();
			return { client, run: query({ prompt: 'How many?', profile: fakeProfile([]), environment, client, schema }) };
		};

		it('returns the outcome as data, from the final answer and without tools', async () => {
			const { run, client } = await outcome([{ text: 'Two tests.' }], () => '{"tests":2}');
			expect(await run.object).toEqual({ tests: 2 });
			expect((await run.result).text).toBe('Two tests.');
			const [asked] = client.completions;
			expect(asked?.responseFormat?.schema).toMatchObject({ required: ['tests'] });
			expect(asked?.tools).toBeUndefined();
			expect(asked?.messages.map(({ role, content }) => [role, content])).toEqual([
				['user', [{ type: 'text', text: 'How many?' }]],
				['assistant', [{ type: 'text', text: 'Two tests.' }]],
				['user', [{ type: 'text', text: expect.stringContaining('as data') }]]
			]);
		});

		it('rejects when the model gives nothing that fits, twice', async () => {
			const { run, client } = await outcome([{ text: 'Two tests.' }], () => '{"tests":"two"}');
			await expect(run.object).rejects.toMatchObject({ name: 'NoObjectGeneratedError', text: '{"tests":"two"}' });
			expect(client.completions).toHaveLength(2);
			expect(JSON.stringify(client.completions[1]?.messages)).toContain('That does not fit: tests');
		});

		it('rejects without another request when the run was stopped', async () => {
			const { run, client } = await outcome([{ text: 'Never read.' }], () => '{"tests":2}');
			await run.stop();
			await expect(run.object).rejects.toThrow('the run ended with aborted');
			expect(client.completions).toEqual([]);
		});
	});

	it('can be stopped, without anybody reading its events', async () => {
		const { client } = await fakeSession([{ text: 'Never read.' }]);
		const run = query({ prompt: 'Go', profile: fakeProfile([]), environment: await temporaryEnvironment(), client });
		await run.stop();
		expect((await run.result).stopReason).toBe('aborted');
	});
});

describe('a tool of the host', () => {
	const add = tool({
		name: 'add',
		description: 'Adds two numbers.',
		parameters: z.object({ a: z.number(), b: z.number() }),
		access: 'read',
		execute: ({ a, b }) => {
			if (a < 0) throw new Error('Negative numbers are not supported.');
			return String(a + b);
		}
	});

	it('gets checked arguments, and its text, error or refusal is the result', async () => {
		const calls = [
			{ name: 'add', arguments: { a: 1, b: 2 } },
			{ name: 'add', arguments: { a: -1, b: 2 } },
			{ name: 'add', arguments: { a: 'x', b: 2 } }
		];
		const { session, client, seen } = await fakeSession([{ calls }, { text: 'Three.' }], {
			tools: [add],
			profile: fakeProfile([])
		});
		await session.submit('Add').result;
		expect(client.requests[0]?.tools?.find(({ name }) => name === 'add')?.parameters).toMatchObject({
			type: 'object',
			properties: { a: { type: 'number' }, b: { type: 'number' } },
			required: ['a', 'b']
		});
		const ends = seen.flatMap((event) => (event.type === 'tool_call_end' ? [[event.isError, event.output]] : []));
		// Read calls run concurrently and end in any order.
		expect(ends).toHaveLength(3);
		expect(ends).toEqual(
			expect.arrayContaining([
				[false, '3'],
				[true, expect.stringContaining('Negative numbers are not supported.')],
				[true, expect.stringContaining('Invalid arguments for add: a:')]
			])
		);
	});

	it('may answer with a whole result', async () => {
		const refuse = tool({
			name: 'refuse',
			description: 'Refuses.',
			parameters: z.object({}),
			execute: () => ({ content: 'Not on a Sunday.', isError: true })
		});
		const { session, seen } = await fakeSession([{ calls: [{ name: 'refuse' }] }, { text: 'No.' }], {
			tools: [refuse],
			profile: fakeProfile([])
		});
		await session.submit('Go').result;
		expect(ofType(seen, 'tool_call_end')).toMatchObject([{ output: 'Not on a Sunday.', isError: true }]);
	});

	it('is left out in plan mode where it writes', async () => {
		const write = tool({ name: 'write', description: 'Writes.', parameters: z.object({}), execute: () => 'done' });
		const { session, client } = await fakeSession([{ calls: [{ name: 'write', arguments: {} }] }, { text: 'No.' }], {
			tools: [write, add],
			profile: fakeProfile([]),
			mode: 'plan'
		});
		await session.submit('Write').result;
		expect(JSON.stringify(client.requests[1]?.messages)).not.toContain('done');
	});
});
