import type { ContentPart } from '#llm/types.ts';

/** Text of a message. */
export function textOf(message: string | readonly ContentPart[]): string {
	if (typeof message === 'string') return message;
	return message.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
