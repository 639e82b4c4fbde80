import { z } from 'zod';

/** Content of a request, independent of its wire format: enough to identify its sender and what the model received. */
export interface Spoken {
	/** First message of the user. */
	firstUser: string;
	/** Texts of user messages, in order. */
	users: string[];
	/** Tool results, in order. */
	results: string[];
	/** Reasoning effort, in the provider's own word or number. */
	effort: string | number | undefined;
}

const texts = z.union([
	z.string().transform((text) => [text]),
	z.array(z.object({ text: z.string().optional() })).transform((parts) => parts.flatMap(({ text }) => text ?? []))
]);

const anthropicBlock = z.discriminatedUnion('type', [
	z.object({ type: z.literal('text'), text: z.string() }),
	z.object({ type: z.literal('tool_result'), content: texts.default([]) }),
	z.object({ type: z.literal('tool_use') }),
	z.object({ type: z.literal('thinking') }),
	z.object({ type: z.literal('image') })
]);
const anthropicBody = z
	.object({
		messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(anthropicBlock)]) })),
		output_config: z.object({ effort: z.string() }).optional()
	})
	.transform(({ messages, output_config }) => {
		const blocks = messages
			.filter(({ role }) => role === 'user')
			.flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content));
		return spoken(
			blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
			blocks.flatMap((block) => (block.type === 'tool_result' ? [block.content.join('')] : [])),
			output_config?.effort
		);
	});

const responsesBody = z
	.object({
		input: z.array(
			z.object({
				type: z.string().optional(),
				role: z.string().optional(),
				content: texts.optional(),
				output: texts.optional()
			})
		),
		reasoning: z.object({ effort: z.string().optional() }).optional()
	})
	.transform(({ input, reasoning }) =>
		spoken(
			input.flatMap((item) => (item.role === 'user' ? (item.content ?? []) : [])),
			input.flatMap((item) => (item.output ? [item.output.join('')] : [])),
			reasoning?.effort
		)
	);

const geminiResponse = z.object({ output: z.string().optional(), error: z.string().optional() });
const geminiBody = z
	.object({
		contents: z.array(
			z.object({
				role: z.string(),
				parts: z.array(
					z.object({ text: z.string().optional(), functionResponse: z.object({ response: geminiResponse }).optional() })
				)
			})
		),
		generationConfig: z
			.object({ thinkingConfig: z.object({ thinkingLevel: z.string().optional() }).optional() })
			.optional()
	})
	.transform(({ contents, generationConfig }) => {
		const parts = contents.filter(({ role }) => role === 'user').flatMap((content) => content.parts);
		return spoken(
			parts.flatMap(({ text }) => text ?? []),
			parts.flatMap(({ functionResponse: each }) => (each ? [each.response.output ?? each.response.error ?? ''] : [])),
			generationConfig?.thinkingConfig?.thinkingLevel
		);
	});

const bodies = z.union([anthropicBody, responsesBody, geminiBody]);

/** @throws ZodError for a body of an unknown wire format */
export function spokenIn(body: unknown): Spoken {
	return bodies.parse(body);
}

function spoken(users: string[], results: string[], effort: string | number | undefined): Spoken {
	return { firstUser: users[0] ?? '', users, results, effort };
}
