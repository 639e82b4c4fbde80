import type { Client } from '#llm/types.ts';

/**
 * Asks the session's model for a summary, without streaming.
 *
 * @returns trimmed; empty where the model gave no words
 * @throws ProviderError as `complete` does
 */
export async function writeSummary(
	client: Client,
	{ provider, model }: { provider: string; model: string },
	prompt: string,
	signal?: AbortSignal
): Promise<string> {
	const { message } = await client.complete({
		provider,
		model,
		system:
			'You write summaries of coding sessions for the assistant that continues them. Answer with the summary only.',
		messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
		...(signal ? { signal } : {})
	});
	return message.content
		.map((part) => (part.type === 'text' ? part.text : ''))
		.join('')
		.trim();
}
