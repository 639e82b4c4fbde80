// The peer's child: the same tasks through pi's agent loop. `node pi.mjs <url> <wire> pi <task>`.
import { agentLoop } from '@mariozechner/pi-agent-core';
import { Type } from '@mariozechner/pi-ai';
import { report } from '../../.cache/bench/report.js';
import { answer, PROMPT, SYSTEM } from '../../.cache/bench/tasks.js';

const [url, wire, , task] = process.argv.slice(2);

/** The models of `loop/`, in pi's words. */
const models = {
	anthropic: { id: 'claude-opus-4-6', api: 'anthropic-messages', provider: 'anthropic', below: '' },
	openai: { id: 'gpt-5.5', api: 'openai-responses', provider: 'openai', below: '/v1' },
	gemini: { id: 'gemini-3-pro-preview', api: 'google-generative-ai', provider: 'google', below: '/v1beta' }
};
const { below, ...named } = models[wire];

const tool = (name, parameters) => ({
	name,
	label: name,
	description: name === 'save' ? 'Saves a text.' : 'Looks up one item.',
	parameters: Type.Object(parameters),
	execute: async () => ({ content: [{ type: 'text', text: answer(name) }], details: undefined })
});
const tools = [tool('lookup', { query: Type.String() }), tool('save', { path: Type.String(), content: Type.String() })];

await report(url, task, async (baseUrl) => {
	const outcome = { textCharacters: 0, argumentCharacters: 0 };
	const model = {
		...named,
		name: 'scripted',
		baseUrl: baseUrl + below,
		reasoning: false,
		input: ['text'],
		cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
		contextWindow: 200_000,
		maxTokens: 8_000
	};
	const prompt = { role: 'user', content: [{ type: 'text', text: PROMPT }], timestamp: Date.now() };
	const config = { model, apiKey: 'key', maxTokens: 8_000, convertToLlm: (messages) => messages };
	for await (const event of agentLoop([prompt], { systemPrompt: SYSTEM, messages: [], tools }, config)) {
		if (event.type === 'message_update' && event.assistantMessageEvent.type === 'text_delta')
			outcome.textCharacters += event.assistantMessageEvent.delta.length;
		else if (event.type === 'tool_execution_start') outcome.argumentCharacters += JSON.stringify(event.args).length;
	}
	return outcome;
});
