import { afterEach, describe, expect, it } from 'vitest';
import { Session } from '#agent/session.ts';
import { createClient } from '#llm/client.ts';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { providers } from '#test/contract/parity/providers.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { type ModelServer, startModelServer } from '#test/model-server/server.ts';
import { spokenIn } from '#test/model-server/spoken.ts';

let server: ModelServer | undefined;
afterEach(async () => {
	await server?.close();
	await removeTemporary();
});

const SIGNATURE = /signature-\d|encrypted-rs_\d|c2lnbmF0dXJl/;
const works = (file: string): ScenarioTurn[] => [
	{
		reasoning: `Thoughts on ${file}.`,
		text: 'Reading.',
		toolCalls: [{ name: 'read_file', arguments: { path: file } }]
	},
	{ text: `Read ${file}.` }
];

describe('a conversation that goes from model to model', () => {
	it('stays whole and valid for each: plain content for another, signatures only back to the same [S-29]', async () => {
		const round = [...providers, ...providers];
		server = await startModelServer({ name: 'round', turns: round.flatMap((_, index) => works(`${index}.txt`)) });
		const { url } = server;
		const client = createClient({
			providers: Object.fromEntries(providers.map(({ name, config }) => [name, config(url)])),
			retry: { retries: 0 }
		});
		const environment = await createTemporary({ confinement: null });
		for (const index of round.keys()) await environment.writeFile(`${index}.txt`, `content of ${index}\n`);
		const [first] = round;
		if (!first) throw new Error('There are providers.');
		const warnings: string[] = [];
		const session = new Session({
			profile: first.profile(),
			environment,
			client,
			mode: 'full',
			hooks: [
				{ onContext: (messages) => [...messages, { role: 'user', content: [{ type: 'text', text: 'A hint.' }] }] }
			]
		});
		session.emitter.onEvent((event) => void (event.type === 'warning' && warnings.push(event.message)));
		for (const [index, provider] of round.entries()) {
			if (index > 0) session.setModel(provider.profile());
			const result = await session.submit(`Read ${index}.txt`).result;
			expect(result, provider.name).toMatchObject({ text: `Read ${index}.txt.`, stopReason: 'end_turn' });
		}
		await session.close();
		expect(server.failures).toEqual([]);
		expect(warnings).toHaveLength(round.length - 1);
		server.requests.forEach(({ body, format }, index) => {
			const task = Math.floor(index / 2);
			const said = spokenIn(body);
			const spoken = index % 2 === 0 ? task : task + 1;
			expect(said.results, format).toHaveLength(spoken);
			said.results.forEach((text, at) => expect(text).toContain(`content of ${at}`));
			// Text added by a hook is part of the request; notices only for the page are not.
			expect(said.users.at(-1)).toBe('A hint.');
			for (const warning of warnings) expect(JSON.stringify(body)).not.toContain(warning);
			expect(JSON.stringify(body)).not.toContain('prompt cache');
			const sameBefore = index % 2 === 1 || task >= providers.length;
			expect(SIGNATURE.test(JSON.stringify(body)), `${format} ${index}`).toBe(sameBefore);
			for (const other of round.keys())
				if (other < task && other % providers.length !== task % providers.length)
					expect(JSON.stringify(body)).not.toContain(`Thoughts on ${other}.txt`);
		});
	});
});
