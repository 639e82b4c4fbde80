// Runs the tasks in the peer's child process, through pi's agent loop: `node pi.mjs <url> anthropic pi <task>`.
import { agentLoop } from '@mariozechner/pi-agent-core';
import { Type } from '@mariozechner/pi-ai';
import { report } from '../../.cache/bench/report.js';
import { answer, PROMPT, SYSTEM } from '../../.cache/bench/tasks.js';

const [url, , , task] = process.argv.slice(2);

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
		id: 'claude-opus-4-6',
		name: 'scripted',
		api: 'anthropic-messages',
		provider: 'anthropic',
		baseUrl,
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
