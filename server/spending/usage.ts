import { z } from 'zod';
import type { Prices } from './prices.ts';

/** Tokens of one response, each counted once. */
export interface Tokens {
	input: number;
	output: number;
	cacheRead: number;
	cacheWrite: number;
}

/** Usage that a response, or one event of it, reports. */
export interface ReportedUsage {
	model?: string;
	tokens?: Partial<Tokens>;
}

const count = z.number().nonnegative().nullish();
const cached = z.object({ cached_tokens: count }).nullish();
const usage = z
	.object({
		input_tokens: count,
		output_tokens: count,
		cache_read_input_tokens: count,
		cache_creation_input_tokens: count,
		input_tokens_details: cached,
		prompt_tokens: count,
		completion_tokens: count,
		prompt_tokens_details: cached
	})
	.nullish();
const geminiUsage = z
	.object({
		promptTokenCount: count,
		cachedContentTokenCount: count,
		candidatesTokenCount: count,
		thoughtsTokenCount: count,
		toolUsePromptTokenCount: count
	})
	.nullish();
const message = z.object({ model: z.string().nullish(), usage });
const anyEvent = message.extend({
	message: message.nullish().catch(undefined),
	response: message.nullish().catch(undefined),
	modelVersion: z.string().nullish(),
	usageMetadata: geminiUsage
});

/** Parses a response, or an event of a streamed one, in the wire formats of all three providers. */
export function readUsage(event: unknown): ReportedUsage {
	const parsed = anyEvent.safeParse(event);
	if (!parsed.success) return {};
	const { data } = parsed;
	const inner = data.message ?? data.response ?? data;
	const model = inner.model ?? data.modelVersion ?? undefined;
	const counted = inner.usage ?? data.usage;
	if (data.usageMetadata) {
		const usage = data.usageMetadata;
		const cacheRead = usage.cachedContentTokenCount ?? 0;
		const input = (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0);
		const output = (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0);
		return { model, tokens: { input: Math.max(0, input - cacheRead), cacheRead, output } };
	}
	if (!counted) return { model };
	// OpenAI includes cached tokens in the input, Anthropic counts them separately.
	const among = (counted.input_tokens_details ?? counted.prompt_tokens_details)?.cached_tokens ?? 0;
	const input = counted.input_tokens ?? counted.prompt_tokens ?? 0;
	return {
		model,
		tokens: {
			input: Math.max(0, input - among),
			cacheRead: among + (counted.cache_read_input_tokens ?? 0),
			cacheWrite: counted.cache_creation_input_tokens ?? 0,
			output: counted.output_tokens ?? counted.completion_tokens ?? 0
		}
	};
}

/** Cost in millionths of a dollar, rounded up. */
export function costOf(tokens: Tokens, listed: Prices): number {
	const prompt = tokens.input + tokens.cacheRead + tokens.cacheWrite;
	const prices = listed.long && prompt > listed.long.above ? listed.long : listed;
	return Math.ceil(
		tokens.input * prices.input +
			tokens.output * prices.output +
			tokens.cacheRead * prices.cacheRead +
			tokens.cacheWrite * prices.cacheWrite
	);
}
