import { z } from 'zod';
import type { ContentPart, Message, Usage } from '#llm/types.ts';

const opaque = z.object({ provider: z.string(), model: z.string(), item: z.unknown() });
const image = z.object({ type: z.literal('image'), mediaType: z.string(), data: z.string() });

export const toolCall = z.object({
	type: z.literal('tool_call'),
	id: z.string(),
	name: z.string(),
	arguments: z.record(z.string(), z.unknown()),
	rawArguments: z.string().optional(),
	provider: opaque.optional()
});

export const contentPart = z.discriminatedUnion('type', [
	z.object({ type: z.literal('text'), text: z.string() }),
	image,
	z.object({ type: z.literal('image_url'), url: z.string(), mediaType: z.string().optional() }),
	z.object({ type: z.literal('audio'), mediaType: z.string(), data: z.string() }),
	z.object({ type: z.literal('document'), mediaType: z.string(), data: z.string(), name: z.string().optional() }),
	toolCall,
	z.object({
		type: z.literal('tool_result'),
		callId: z.string(),
		toolName: z.string(),
		content: z.string(),
		images: z.array(image).optional(),
		isError: z.boolean()
	}),
	z.object({
		type: z.literal('thinking'),
		text: z.string(),
		signature: z.string().optional(),
		provider: opaque.optional()
	}),
	z.object({ type: z.literal('redacted_thinking'), data: z.string(), provider: opaque.optional() }),
	z.object({ type: z.literal('opaque'), provider: opaque })
]) satisfies z.ZodType<ContentPart>;

export const message = z.object({
	role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
	content: z.array(contentPart)
}) satisfies z.ZodType<Message>;

export const usage = z.object({
	inputTokens: z.number(),
	outputTokens: z.number(),
	reasoningTokens: z.number(),
	cacheReadTokens: z.number(),
	cacheWriteTokens: z.number(),
	costUsd: z.number().nullable()
}) satisfies z.ZodType<Usage>;
