import type { Client } from '#llm/types.ts';

const MOST_CHARACTERS = 60;

/**
 * A name for a session, from what the person asked first.
 *
 * @returns at most 60 characters; the beginning of the request itself where the model gives none
 */
export async function suggestTitle(
	client: Client,
	{ provider, model }: { provider: string; model: string },
	request: string,
	signal?: AbortSignal
): Promise<string> {
	try {
		const { message } = await client.complete({
			provider,
			model,
			system:
				'You name coding tasks. Answer with a name of two to six words and nothing else: no quotes, no full stop.',
			messages: [{ role: 'user', content: [{ type: 'text', text: request.slice(0, 4_000) }] }],
			reasoningEffort: 'none',
			...(signal ? { signal } : {})
		});
		const said = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
		return short(said.replace(/^["'“]|["'”.]$/g, '')) || short(request);
	} catch (error) {
		if (signal?.aborted) throw error;
		return short(request);
	}
}

function short(text: string): string {
	const line = text.trim().split('\n')[0] ?? '';
	return line.length <= MOST_CHARACTERS ? line : `${line.slice(0, MOST_CHARACTERS - 1).replace(/\s+\S*$/, '')}…`;
}
