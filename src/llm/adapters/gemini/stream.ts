import type { GenerateContentResponse, Part } from '@google/genai';
import { classifyAnswer } from '../../classify-error.ts';
import { ContentFilterError, type ProviderError, StreamError } from '../../errors.ts';
import { retryDelayInBody } from '../../retry-after.ts';
import type { FinishReason, Request } from '../../types.ts';
import { type AdapterConfig, tag } from '../adapter.ts';
import type { WireState } from '../run.ts';

const finishReasons = new Map<string, FinishReason>([
	['STOP', 'stop'],
	['MAX_TOKENS', 'length'],
	['SAFETY', 'content_filter'],
	['RECITATION', 'content_filter'],
	['BLOCKLIST', 'content_filter'],
	['PROHIBITED_CONTENT', 'content_filter'],
	['SPII', 'content_filter']
]);
/** Finish reasons for a malformed call: a retry helps. */
const stumbles = new Set(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL']);

/** Form sent over the wire; the SDK's class adds methods. */
type StreamedChunk = Pick<GenerateContentResponse, 'responseId' | 'usageMetadata' | 'promptFeedback' | 'candidates'> & {
	error?: { code?: unknown };
};

/** Applies the chunks of one generateContent stream to the state. */
export class GeminiReader {
	constructor(
		private readonly config: AdapterConfig,
		private readonly request: Request,
		private readonly state: WireState
	) {}

	/**
	 * Applies one chunk.
	 * @param data of one event
	 */
	read(data: string): void {
		const chunk: StreamedChunk = JSON.parse(data);
		if (chunk.error) throw this.failure(chunk.error, data);
		const { state } = this;
		if (chunk.responseId) state.id = chunk.responseId;
		this.readUsage(chunk);
		const blocked = chunk.promptFeedback?.blockReason;
		if (blocked) throw new ContentFilterError({ provider: this.config.name, providerCode: blocked });
		const candidate = chunk.candidates?.[0];
		for (const part of candidate?.content?.parts ?? []) this.readPart(part);
		const reason = candidate?.finishReason;
		if (!reason) return;
		state.rawFinishReason = reason;
		if (stumbles.has(reason)) {
			const message = 'Gemini wrote a tool call it could not finish. Try again.';
			throw new StreamError({ provider: this.config.name, providerCode: reason, message });
		}
		state.finishReason = finishReasons.get(reason) ?? 'other';
	}

	/** A failure within the stream carries the status it would have had as a response. */
	private failure({ code }: { code?: unknown }, body: string): ProviderError {
		const retryAfterMs = retryDelayInBody(body);
		return classifyAnswer({
			provider: this.config.name,
			body,
			...(typeof code === 'number' && code >= 400 && code < 600 ? { status: code } : {}),
			...(retryAfterMs === undefined ? {} : { retryAfterMs })
		});
	}

	private readPart(part: Part): void {
		const { assembler } = this.state;
		const { thoughtSignature } = part;
		const providerData = (id?: string) => tag(this.config, this.request, { ...(id ? { id } : {}), thoughtSignature });
		if (part.functionCall) {
			const { id, name = '', args = {} } = part.functionCall;
			assembler.wholeCall(id || `gemini_${crypto.randomUUID()}`, name, args, providerData(id));
		} else if (part.thought) {
			if (part.text) assembler.reasoning(part.text);
			if (thoughtSignature && assembler.isReasoning) assembler.closeSegment({ provider: providerData() });
		} else {
			if (part.text) assembler.text(part.text);
			if (thoughtSignature) assembler.add({ type: 'opaque', provider: providerData() });
		}
	}

	private readUsage(chunk: StreamedChunk): void {
		const counted = chunk.usageMetadata;
		if (!counted) return;
		const { usage } = this.state;
		usage.inputTokens = counted.promptTokenCount ?? usage.inputTokens;
		usage.cacheReadTokens = counted.cachedContentTokenCount ?? usage.cacheReadTokens;
		usage.reasoningTokens = counted.thoughtsTokenCount ?? usage.reasoningTokens;
		usage.outputTokens = (counted.candidatesTokenCount ?? 0) + (counted.thoughtsTokenCount ?? 0);
	}
}
