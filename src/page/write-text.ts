import type { Client, Usage } from '#llm/types.ts';
import type { ModelChoice, TextOrder } from './parts.ts';

/** Token limit: some models think before they write. */
const MAX_TOKENS = 4096;

/** Requests one text from a model; see `Parts.writeText`. */
export async function writeText(
	client: Client,
	{ model, provider }: ModelChoice,
	{ system, prompt, signal }: TextOrder,
	onText: (text: string) => void
): Promise<Usage> {
	const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: prompt }] }];
	let text = '';
	for await (const event of client.stream({ model, provider, system, messages, maxTokens: MAX_TOKENS, signal })) {
		if (event.type === 'text_delta') onText((text += event.delta));
		// After an interruption, the text is sent again from the start.
		else if (event.type === 'retry') onText((text = ''));
		else if (event.type === 'error') throw event.error;
		else if (event.type === 'finish') return event.response.usage;
	}
	throw new Error('The model’s answer has no end.');
}
