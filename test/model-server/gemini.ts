import { z } from 'zod';
import { offeredTool } from '#llm/scenario/offered-tool.ts';
import { pieces, type PlayedTurn } from '#llm/scenario/player.ts';
import { type FrameOptions, sse, type WireFormat } from './format.ts';

const declaration = z.object({ name: z.string(), parametersJsonSchema: z.unknown().optional() });
const bodySchema = z.object({
	tools: z.array(z.object({ functionDeclarations: z.array(declaration).default([]) })).default([])
});

const codes: Record<number, string> = {
	400: 'INVALID_ARGUMENT',
	401: 'UNAUTHENTICATED',
	403: 'PERMISSION_DENIED',
	404: 'NOT_FOUND',
	429: 'RESOURCE_EXHAUSTED',
	500: 'INTERNAL',
	503: 'UNAVAILABLE'
};
const finishReasons: Record<string, string> = { stop: 'STOP', tool_calls: 'STOP', length: 'MAX_TOKENS' };

/** generateContent. Calls arrive whole and without ids, as in the public API. */
export const gemini: WireFormat = {
	name: 'gemini',
	serves: (path) => /:(streamGenerateContent|generateContent)$/.test(path),
	tools: (body) =>
		bodySchema
			.parse(body)
			.tools.flatMap((tool) => tool.functionDeclarations)
			.map((tool) => offeredTool(tool.name, tool.parametersJsonSchema)),
	frames(turn, options) {
		const each = parts(turn, options);
		const frames = each.map((part) => sse(chunk(turn, options, [part])));
		frames.push(sse(chunk(turn, options, [{ text: '' }], true)));
		return frames;
	},
	whole: (turn, options) => chunk(turn, options, parts(turn, { ...options, chunkCharacters: Infinity }), true),
	failure: (status, message) => ({ error: { code: status, message, status: codes[status] ?? 'UNKNOWN' } })
};

function parts(turn: PlayedTurn, { chunkCharacters, serial }: FrameOptions): unknown[] {
	return [
		...pieces(turn.reasoning, chunkCharacters).map((text) => ({ text, thought: true })),
		...pieces(turn.text, chunkCharacters).map((text) => ({ text })),
		...turn.calls.map((call, index) => ({
			functionCall: { name: call.name, ...argumentsOf(call.argumentsText) },
			// Only the first of parallel calls is signed.
			...(index === 0 ? { thoughtSignature: btoa(`signature-${serial}`) } : {})
		}))
	];
}

function chunk(turn: PlayedTurn, { model, serial }: FrameOptions, content: unknown[], last = false) {
	const { usage } = turn;
	return {
		candidates: [
			{
				index: 0,
				content: { role: 'model', parts: content },
				...(last ? { finishReason: finishReasons[turn.finishReason] ?? turn.finishReason } : {})
			}
		],
		usageMetadata: {
			promptTokenCount: usage.input,
			cachedContentTokenCount: usage.cacheRead,
			candidatesTokenCount: usage.output - usage.reasoning,
			thoughtsTokenCount: usage.reasoning,
			totalTokenCount: usage.input + usage.output
		},
		modelVersion: model,
		responseId: `gemini-${serial}`
	};
}

/** Arguments are objects on this wire: invalid JSON cannot be sent and is omitted. */
function argumentsOf(text: string): { args?: unknown } {
	try {
		const args: unknown = JSON.parse(text);
		return { args };
	} catch {
		return {};
	}
}
