import type { Client } from '#llm/types.ts';

const MAX_CHARACTERS = 60;

/** Builds the request for a session's title from the first message. */
export function titlePrompt(request: string): { system: string; prompt: string } {
	const system =
		'You name coding tasks. Answer with a name of two to six words and nothing else: no quotes, no full stop.';
	return { system, prompt: request.slice(0, 4_000) };
}

/** Cleans a model's answer: one line of at most 60 characters, without quotes; empty if there is none. */
export function cleanTitle(answer: string): string {
	return short(answer.trim().replace(/^["'“]+|["'”.]+$/g, ''));
}

/**
 * Suggests a session's title from the user's first message.
 *
 * @returns at most 60 characters; the beginning of the message if the model returns none
 */
export async function suggestTitle(
	client: Client,
	{ provider, model }: { provider: string; model: string },
	request: string,
	signal?: AbortSignal
): Promise<string> {
	try {
		const { system, prompt } = titlePrompt(request);
		const { message } = await client.complete({
			provider,
			model,
			system,
			messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
			reasoningEffort: 'none',
			...(signal ? { signal } : {})
		});
		const answer = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
		return cleanTitle(answer) || short(request);
	} catch (error) {
		if (signal?.aborted) throw error;
		return short(request);
	}
}

function short(text: string): string {
	const line = text.trim().split('\n')[0] ?? '';
	return line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS - 1).replace(/\s+\S*$/, '')}…`;
}
