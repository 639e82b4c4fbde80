import type { ResponseReasoningItem } from 'openai/resources/responses/responses';
import { z } from 'zod';

const schema = z.object({
	type: z.literal('reasoning'),
	id: z.string(),
	summary: z.array(z.object({ type: z.literal('summary_text'), text: z.string() })),
	encrypted_content: z.string().min(1)
});

/**
 * Reasoning item that may be sent back; `undefined` without encrypted content, since only the provider's store
 * could resolve it.
 */
export function reasoningItem(item: unknown): ResponseReasoningItem | undefined {
	const parsed = schema.safeParse(item);
	return parsed.success ? parsed.data : undefined;
}
