import type { Client, ContentPart } from '#llm/types.ts';

/**
 * Requests a summary from the session's model, without streaming.
 *
 * @returns the trimmed text; empty if the model returned none
 * @throws ProviderError as `complete` does
 */
export async function writeSummary(
	client: Client,
	{ provider, model }: { provider: string; model: string },
	prompt: string,
	pictures: readonly ContentPart[] = [],
	signal?: AbortSignal
): Promise<string> {
	const { message } = await client.complete({
		provider,
		model,
		system:
			'You write summaries of coding sessions for the assistant that continues them. Answer with the summary only.',
		messages: [{ role: 'user', content: [{ type: 'text', text: prompt }, ...pictures] }],
		...(signal ? { signal } : {})
	});
	return message.content
		.map((part) => (part.type === 'text' ? part.text : ''))
		.join('')
		.trim();
}
