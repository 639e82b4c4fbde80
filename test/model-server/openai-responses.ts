import { z } from 'zod';
import { offeredTool } from '#llm/scenario/offered-tool.ts';
import { pieces, type PlayedCall, type PlayedTurn } from '#llm/scenario/player.ts';
import { type FrameOptions, sse, type WireFormat } from './format.ts';
import { openaiFailure } from './openai-failure.ts';

const bodySchema = z.object({
	tools: z
		.array(z.object({ type: z.string(), name: z.string().default(''), parameters: z.unknown().optional() }))
		.default([])
});

type Event = { type: string } & Record<string, unknown>;
const incomplete: Record<string, string> = { length: 'max_output_tokens', content_filter: 'content_filter' };

/** The Responses API. */
export const openaiResponses: WireFormat = {
	name: 'openai-responses',
	serves: (path) => path.endsWith('/responses'),
	tools: (body) =>
		bodySchema.parse(body).tools.map((tool) => offeredTool(tool.name, tool.parameters, tool.type === 'custom')),
	frames(turn, options) {
		const { serial } = options;
		const events: Event[] = [
			{ type: 'response.created', response: response(turn, options, 'in_progress') },
			{ type: 'response.in_progress', response: response(turn, options, 'in_progress') }
		];
		items(turn, serial).forEach((item, output_index) => {
			const { id } = item.done;
			events.push({ type: 'response.output_item.added', output_index, item: item.added });
			for (const each of item.events(options.chunkCharacters)) {
				events.push({ item_id: id, output_index, ...each });
			}
			events.push({ type: 'response.output_item.done', output_index, item: item.done });
		});
		const ended = incomplete[turn.finishReason] ? 'incomplete' : 'completed';
		events.push({ type: `response.${ended}`, response: response(turn, options, ended) });
		return events.map((event, sequence_number) => sse({ ...event, sequence_number }, event.type));
	},
	whole: (turn, options) => response(turn, options, 'completed'),
	failure: openaiFailure
};

function response(turn: PlayedTurn, { model, serial }: FrameOptions, status: string) {
	const { usage } = turn;
	const ended = status !== 'in_progress';
	return {
		id: `resp_${serial}`,
		object: 'response',
		created_at: 0,
		model,
		status,
		output: ended ? items(turn, serial).map((item) => item.done) : [],
		error: null,
		incomplete_details: status === 'incomplete' ? { reason: incomplete[turn.finishReason] } : null,
		usage: ended
			? {
					input_tokens: usage.input,
					input_tokens_details: { cached_tokens: usage.cacheRead },
					output_tokens: usage.output,
					output_tokens_details: { reasoning_tokens: usage.reasoning },
					total_tokens: usage.input + usage.output
				}
			: null
	};
}

interface Item {
	added: unknown;
	events(size: number): Event[];
	done: { id: string } & Record<string, unknown>;
}

function items(turn: PlayedTurn, serial: number): Item[] {
	const found: Item[] = [];
	if (turn.reasoning) found.push(reasoning(turn.reasoning, `rs_${serial}`));
	if (turn.text) found.push(text(turn.text, `msg_${serial}`));
	turn.calls.forEach((call, index) => found.push(toolCall(call, `fc_${serial}_${index}`)));
	return found;
}

function reasoning(summary: string, id: string): Item {
	const part = { type: 'summary_text', text: summary };
	const base = { id, type: 'reasoning' };
	return {
		added: { ...base, summary: [] },
		events: (size) => [
			{
				type: 'response.reasoning_summary_part.added',
				summary_index: 0,
				part: { ...part, text: '' }
			},
			...pieces(summary, size).map((delta) => ({
				type: 'response.reasoning_summary_text.delta',
				summary_index: 0,
				delta
			})),
			{ type: 'response.reasoning_summary_part.done', summary_index: 0, part }
		],
		done: { ...base, summary: [part], encrypted_content: `encrypted-${id}` }
	};
}

function text(words: string, id: string): Item {
	const part = { type: 'output_text', text: words, annotations: [] };
	const base = { id, type: 'message', role: 'assistant' };
	return {
		added: { ...base, status: 'in_progress', content: [] },
		events: (size) => [
			{ type: 'response.content_part.added', content_index: 0, part: { ...part, text: '' } },
			...pieces(words, size).map((delta) => ({ type: 'response.output_text.delta', content_index: 0, delta })),
			{ type: 'response.output_text.done', content_index: 0, text: words },
			{ type: 'response.content_part.done', content_index: 0, part }
		],
		done: { ...base, status: 'completed', content: [part] }
	};
}

function toolCall(call: PlayedCall, id: string): Item {
	const [type, field, stream] = call.custom
		? ['custom_tool_call', 'input', 'response.custom_tool_call_input']
		: ['function_call', 'arguments', 'response.function_call_arguments'];
	const base = { id, type, call_id: call.id, name: call.name };
	return {
		added: { ...base, status: 'in_progress', [field]: '' },
		events: (size) => [
			...pieces(call.argumentsText, size).map((delta) => ({ type: `${stream}.delta`, delta })),
			{ type: `${stream}.done`, [field]: call.argumentsText }
		],
		done: { ...base, status: 'completed', [field]: call.argumentsText }
	};
}
