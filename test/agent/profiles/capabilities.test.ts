import { afterEach, describe, expect, it } from 'vitest';
import { createAnthropicProfile } from '#agent/profiles/anthropic.ts';
import { createGeminiProfile } from '#agent/profiles/gemini.ts';
import { createOpenAIProfile } from '#agent/profiles/openai.ts';
import { createPiProfile } from '#agent/profiles/pi.ts';
import { profileForModel } from '#agent/profiles/for-model.ts';
import type { Profile } from '#agent/profile.ts';
import { createClient } from '#llm/client.ts';
import { fakeSession, ofType, temporaryEnvironment } from '../fake-session.ts';
import { FakeClient } from '../fake-client.ts';
import { type ModelServer, startModelServer } from '#test/model-server/server.ts';
import { providers } from '#test/contract/parity/providers.ts';

let server: ModelServer | undefined;
afterEach(() => server?.close());

const all: [string, Profile][] = [
	['anthropic', createAnthropicProfile({ model: 'claude-opus-4-6' })],
	['openai', createOpenAIProfile({ model: 'gpt-5.5' })],
	['gemini', createGeminiProfile({ model: 'gemini-3-pro-preview' })],
	['pi', createPiProfile({ model: 'local' })]
];

describe('a profile', () => {
	it.each(all)('%s says what it is and can [S-18]', (id, profile) => {
		expect(profile).toMatchObject({ id, provider: id, model: expect.any(String) });
		expect(profile.tools.length).toBeGreaterThan(5);
		const prompt = profile.buildSystemPrompt({
			environmentBlock: '<environment/>',
			gitSnapshot: '',
			projectInstructions: '',
			userInstructions: '',
			toolNames: []
		});
		expect(prompt).toContain('<environment/>');
		expect(profile.supportsReasoning).toBe(true);
		expect(profile.supportsStreaming).toBe(true);
		expect(profile.supportsParallelToolCalls).toBe(true);
		expect(profile.contextWindowTokens).toBeGreaterThan(100_000);
	});

	it('brings its provider’s options to the wire: effort, beta headers, safety and grounding [S-18]', async () => {
		server = await startModelServer({ name: 'options', turns: [], afterwards: { text: 'ok' } });
		const { url } = server;
		for (const { name, config, profile } of providers) {
			const client = createClient({ providers: { [name]: config(url) } });
			const own = name === 'gemini' ? createGeminiProfile({ model: profile().model, grounding: true }) : profile();
			const { session } = await fakeSession([], { client, profile: own, reasoningEffort: 'high' });
			expect((await session.submit('Hi').result).text).toBe('ok');
		}
		const [openai, anthropic, gemini] = server.requests;
		expect(openai?.body).toMatchObject({ reasoning: { effort: 'high' } });
		expect(anthropic?.headers['anthropic-beta']).toContain('interleaved-thinking');
		expect(gemini?.body).toMatchObject({
			safetySettings: expect.arrayContaining([expect.objectContaining({ threshold: 'BLOCK_ONLY_HIGH' })]),
			tools: expect.arrayContaining([{ googleSearch: {} }])
		});
	});
});

describe('the tools for subagents', () => {
	it('take a task, a directory, a model and a limit of turns, and tell output, success and turns [S-14]', async () => {
		const environment = await temporaryEnvironment();
		await environment.writeFile('sub/a.txt', 'in sub\n');
		const read = { calls: [{ name: 'read', arguments: { path: 'a.txt' } }] };
		const client = new FakeClient([], {
			tasks: { 'Read it': [read, { text: 'It says in sub.' }, { text: 'Again.' }], 'Read for ever': [read, read, read] }
		});
		const profile = profileForModel('local', 'compatible-x');
		const { session, seen } = await fakeSession([], { client, profile, environment });
		const call = async (name: string, args: Record<string, unknown>) => {
			client.script([{ calls: [{ name, arguments: args }] }, { text: 'Ok.' }]);
			await session.submit('Go').result;
			return ofType(seen, 'tool_call_end').at(-1)?.output ?? '';
		};
		const lastOutput = (): string => ofType(seen, 'tool_call_end').at(-1)?.output ?? '';
		/** Starts work and waits for it in the same run, because it would be stopped when the run ends. */
		const callAndWait = async (name: string, args: Record<string, unknown>, agentId?: string): Promise<string> => {
			const waiting = { name: 'wait', arguments: { agent_id: agentId ?? '' } };
			const onRequest = (): void => {
				waiting.arguments.agent_id ||= /agent_\w+/.exec(lastOutput())?.[0] ?? '';
			};
			client.script([{ calls: [{ name, arguments: args }] }, { calls: [waiting], onRequest }, { text: 'Ok.' }]);
			await session.submit('Go').result;
			return waiting.arguments.agent_id;
		};
		const id = await callAndWait('spawn_agent', {
			task: 'Read it',
			working_dir: 'sub',
			model: 'small-1',
			max_turns: 3
		});
		expect(lastOutput()).toBe(`It says in sub.\n\n[Agent ${id}: completed, 2 turns used]`);
		const child = client.requests.filter(({ model }) => model === 'small-1');
		expect(child).toHaveLength(2);
		expect(JSON.stringify(child[1]?.messages)).toContain('in sub');
		await callAndWait('send_input', { agent_id: id, message: 'And again' }, id);
		expect(ofType(seen, 'tool_call_end').at(-2)?.output).toContain('working again');
		expect(lastOutput()).toContain('Again.');
		expect(await call('close_agent', { agent_id: id })).toContain('is closed');
		await callAndWait('spawn_agent', { task: 'Read for ever', working_dir: 'sub', max_turns: 2 });
		expect(lastOutput()).toMatch(/failed, 2 turns used\]$/);
		expect(ofType(seen, 'tool_call_end').at(-1)).toMatchObject({
			isError: true,
			details: { success: false, turns: 2 }
		});
	});
});
