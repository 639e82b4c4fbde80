import type { ResponseInputItem, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { SYSTEM, TOOLS } from './tasks.ts';
import type { BenchWire } from './wire.ts';

export const MODEL = 'gpt-5.5';

const fixed = {
	model: MODEL,
	instructions: SYSTEM,
	tools: TOOLS.map((tool) => ({ type: 'function' as const, ...tool, strict: false })),
	store: false,
	stream: true as const
};

export const openai: BenchWire<ResponseInputItem, ResponseStreamEvent> = {
	path: '/v1/responses',
	headers: { authorization: 'Bearer key' },
	prompt: (text) => ({ role: 'user', content: text }),
	body: (input) => ({ ...fixed, input }),
	async sdk(url) {
		const { OpenAI } = await import('openai');
		const client = new OpenAI({ apiKey: 'key', baseURL: `${url}/v1`, maxRetries: 0 });
		return (input) => client.responses.create({ ...fixed, input });
	},
	read(turn, event, onDelta) {
		switch (event.type) {
			case 'response.output_item.added':
				if (event.item.type === 'function_call')
					turn.calls.push({ id: event.item.call_id, name: event.item.name, argumentsText: '' });
				return;
			case 'response.output_text.delta':
				turn.text += event.delta;
				return onDelta(event.delta);
			case 'response.function_call_arguments.delta': {
				const call = turn.calls.at(-1);
				if (call) call.argumentsText += event.delta;
				return onDelta(event.delta);
			}
		}
	},
	messages: ({ text, calls }, results) => [
		...(text ? [{ role: 'assistant' as const, content: text }] : []),
		...calls.map(({ id, name, argumentsText }) => ({
			type: 'function_call' as const,
			call_id: id,
			name,
			arguments: argumentsText
		})),
		...calls.map(({ id }, index) => ({
			type: 'function_call_output' as const,
			call_id: id,
			output: results[index] ?? ''
		}))
	]
};
