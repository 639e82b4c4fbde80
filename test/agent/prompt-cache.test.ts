import { afterEach, expect, it, describe } from 'vitest';
import { Session } from '#agent/session.ts';
import { createClient } from '#llm/client.ts';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { providers } from '#test/contract/parity/providers.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { type ModelServer, startModelServer } from '#test/model-server/server.ts';

let server: ModelServer | undefined;
afterEach(async () => {
	await server?.close();
	await removeTemporary();
});

const BREAKPOINT = /,?"cache_control":\{"type":"ephemeral"\}/g;
/** Splits each protocol's body into the part before the conversation, and the conversation. */
const parts: Record<string, (body: Record<string, unknown>) => [prefix: unknown, messages: unknown]> = {
	openai: ({ tools, instructions, input }) => [[tools, instructions], input],
	anthropic: ({ tools, system, messages }) => [[tools, system], messages],
	gemini: ({ tools, systemInstruction, contents }) => [[tools, systemInstruction], contents]
};

const turns: ScenarioTurn[] = Array.from({ length: 10 }, (_, index) => ({
	reasoning: `Thought ${index}.`,
	text: `Step ${index}.`,
	toolCalls: [
		{ name: 'read_file', arguments: { path: 'a.txt' } },
		{ name: 'shell', arguments: { command: `echo ${index}` } }
	]
}));

describe.each(providers)('$name', (provider) => {
	it('is sent the same bytes before what is new, over ten turns and two inputs', async () => {
		server = await startModelServer({
			name: 'cache',
			turns: [...turns.slice(0, 5), { text: 'Half.' }, ...turns.slice(5), { text: 'Done.' }]
		});
		const client = createClient({ providers: { [provider.name]: provider.config(server.url) } });
		const environment = await createTemporary({ confinement: null });
		await environment.writeFile('a.txt', 'words\n');
		const session = new Session({ profile: provider.profile(), environment, client, mode: 'full', todoStaleTurns: 2 });
		await session.submit('Begin').result;
		session.steer('And quickly');
		await session.submit('Go on').result;
		await session.close();
		expect(server.failures).toEqual([]);
		expect(server.requests).toHaveLength(12);
		const bodies = server.requests.map(({ body }) => Object(body) as Record<string, unknown>);
		const said = bodies.map((body) => {
			const [prefix, messages] = parts[provider.name]?.(body) ?? [];
			const plain = JSON.stringify(messages).replace(BREAKPOINT, '');
			return { prefix: JSON.stringify(prefix), messages: plain.slice(0, -1) };
		});
		said.slice(1).forEach(({ prefix, messages }, index) => {
			expect(prefix).toBe(said[index]?.prefix);
			// Blocks may be appended to the last user message, so its end is not compared.
			const before = (said[index]?.messages ?? '').replace(/\]\}$/, '');
			expect(messages.slice(0, before.length)).toBe(before);
		});
	});
});

it('marks for Anthropic what stays: tools, system, and two places in the conversation, the last at its end', async () => {
	server = await startModelServer({ name: 'breakpoints', turns: [...turns, { text: 'Done.' }] });
	const anthropic = providers.find(({ name }) => name === 'anthropic');
	if (!anthropic) throw new Error('There is Anthropic.');
	const client = createClient({ providers: { anthropic: anthropic.config(server.url) } });
	const environment = await createTemporary({ confinement: null });
	await environment.writeFile('a.txt', 'words\n');
	const session = new Session({ profile: anthropic.profile(), environment, client, mode: 'full' });
	await session.submit('Begin').result;
	await session.close();
	const marked = (blocks: unknown): number[] =>
		Array.isArray(blocks)
			? blocks.flatMap((block: unknown, index) => ('cache_control' in Object(block) ? [index] : []))
			: [];
	let last = -1;
	for (const { body } of server.requests) {
		const { tools, system, messages } = Object(body) as {
			tools: unknown[];
			system: unknown[];
			messages: { content: unknown[] }[];
		};
		expect(marked(tools)).toEqual([tools.length - 1]);
		expect(marked(system)).toEqual([system.length - 1]);
		const blocks = messages.flatMap(({ content }) => content);
		const places = marked(blocks);
		expect(places.length).toBeGreaterThan(0);
		expect(places.length).toBeLessThanOrEqual(2);
		expect(places.at(-1)).toBe(blocks.length - 1);
		// The provider looks back 20 blocks from a breakpoint: the previous turn must be within reach of one.
		if (last >= 0) expect(places.some((place) => place - last >= 0 && place - last < 20)).toBe(true);
		last = blocks.length - 1;
	}
});
