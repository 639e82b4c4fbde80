import type { MessageParam, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { SYSTEM, TOOLS } from './tasks.ts';
import type { BenchWire } from './wire.ts';

export const MODEL = 'claude-opus-4-6';

const fixed = {
	model: MODEL,
	max_tokens: 8_000,
	system: SYSTEM,
	tools: TOOLS.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
	stream: true as const
};

export const anthropic: BenchWire<MessageParam, RawMessageStreamEvent> = {
	path: '/v1/messages',
	headers: { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' },
	prompt: (text) => ({ role: 'user', content: text }),
	body: (messages) => ({ ...fixed, messages }),
	async sdk(url) {
		const { Anthropic } = await import('@anthropic-ai/sdk');
		const client = new Anthropic({ apiKey: 'key', baseURL: url, maxRetries: 0 });
		return (messages) => client.messages.create({ ...fixed, messages });
	},
	read(turn, event, onDelta) {
		if (event.type === 'content_block_start' && event.content_block.type === 'tool_use') {
			const { id, name } = event.content_block;
			turn.calls.push({ id, name, argumentsText: '' });
		}
		if (event.type !== 'content_block_delta') return;
		if (event.delta.type === 'text_delta') {
			turn.text += event.delta.text;
			onDelta(event.delta.text);
		} else if (event.delta.type === 'input_json_delta') {
			const call = turn.calls.at(-1);
			if (call) call.argumentsText += event.delta.partial_json;
			onDelta(event.delta.partial_json);
		}
	},
	messages: ({ text, calls }, results) => [
		{
			role: 'assistant',
			content: [
				...(text ? [{ type: 'text' as const, text }] : []),
				...calls.map(({ id, name, argumentsText }) => ({
					type: 'tool_use' as const,
					id,
					name,
					input: JSON.parse(argumentsText)
				}))
			]
		},
		{
			role: 'user',
			content: calls.map(({ id }, index) => ({ type: 'tool_result', tool_use_id: id, content: results[index] ?? '' }))
		}
	]
};
