import { z } from 'zod';
import { offeredTool } from '#llm/scenario/offered-tool.ts';
import { pieces } from '#llm/scenario/player.ts';
import { sse, type WireFormat } from './format.ts';
import { openaiFailure } from './openai-failure.ts';

const bodySchema = z.object({
	tools: z.array(z.object({ function: z.object({ name: z.string(), parameters: z.unknown().optional() }) })).default([])
});

/** Chat Completions, as compatible servers implement it (reasoning in `reasoning_content`). */
export const openaiChat: WireFormat = {
	name: 'openai-chat',
	serves: (path) => path.endsWith('/chat/completions'),
	tools: (body) =>
		bodySchema.parse(body).tools.map((tool) => offeredTool(tool.function.name, tool.function.parameters)),
	frames(turn, { model, chunkCharacters, serial }) {
		const head = { id: `chatcmpl-${serial}`, object: 'chat.completion.chunk', created: 0, model };
		const chunk = (delta: unknown, finish_reason: string | null = null) =>
			sse({ ...head, choices: [{ index: 0, delta, finish_reason }] });
		const frames = [chunk({ role: 'assistant', content: '' })];
		for (const piece of pieces(turn.reasoning, chunkCharacters)) frames.push(chunk({ reasoning_content: piece }));
		for (const piece of pieces(turn.text, chunkCharacters)) frames.push(chunk({ content: piece }));
		turn.calls.forEach((call, index) => {
			const start = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } };
			frames.push(chunk({ tool_calls: [start] }));
			for (const piece of pieces(call.argumentsText, chunkCharacters)) {
				frames.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
			}
		});
		frames.push(chunk({}, turn.finishReason), sse({ ...head, choices: [], usage: usage(turn.usage) }), sse('[DONE]'));
		return frames;
	},
	whole: (turn, { model, serial }) => ({
		id: `chatcmpl-${serial}`,
		object: 'chat.completion',
		created: 0,
		model,
		choices: [
			{
				index: 0,
				finish_reason: turn.finishReason,
				message: {
					role: 'assistant',
					content: turn.text,
					tool_calls: turn.calls.map((call) => ({
						id: call.id,
						type: 'function',
						function: { name: call.name, arguments: call.argumentsText }
					}))
				}
			}
		],
		usage: usage(turn.usage)
	}),
	failure: openaiFailure
};

function usage(counted: { input: number; output: number; reasoning: number; cacheRead: number }) {
	return {
		prompt_tokens: counted.input,
		completion_tokens: counted.output,
		total_tokens: counted.input + counted.output,
		prompt_tokens_details: { cached_tokens: counted.cacheRead },
		completion_tokens_details: { reasoning_tokens: counted.reasoning }
	};
}
