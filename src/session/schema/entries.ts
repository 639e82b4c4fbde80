import { z } from 'zod';
import type { SessionEntry } from '#agent/session-log.ts';
import { sessionEvent, todoItem } from './events.ts';
import { message, usage } from './messages.ts';
import { migrateEntries } from './migrations.ts';

const header = { id: z.string().min(1), parentId: z.string().nullable(), timestamp: z.number() };

/** One line of a session's tree, from disk or from a share: untrusted until parsed here. */
export const sessionEntry = z.discriminatedUnion('type', [
	z.object({ ...header, type: z.literal('session'), version: z.number(), sessionId: z.string(), title: z.string() }),
	z.object({
		...header,
		type: z.literal('message'),
		message,
		steering: z.boolean().optional(),
		notice: z.boolean().optional(),
		usage: usage.optional(),
		responseId: z.string().optional()
	}),
	z.object({ ...header, type: z.literal('event'), event: sessionEvent }),
	z.object({
		...header,
		type: z.literal('compaction'),
		summary: z.string(),
		firstKeptId: z.string(),
		beforeTokens: z.number(),
		afterTokens: z.number()
	}),
	z.object({ ...header, type: z.literal('model_change'), provider: z.string(), model: z.string() }),
	z.object({ ...header, type: z.literal('checkpoint'), checkpointId: z.string(), tree: z.string(), label: z.string() }),
	z.object({ ...header, type: z.literal('todo_list'), items: z.array(todoItem) }),
	z.object({
		...header,
		type: z.literal('settings'),
		images: z.object({ block: z.boolean().optional(), maxBytes: z.number().positive().optional() })
	}),
	z.object({ ...header, type: z.literal('branch_summary'), summary: z.string(), fromId: z.string() }),
	z.object({ ...header, type: z.literal('label'), targetId: z.string(), label: z.string() })
]) satisfies z.ZodType<SessionEntry>;

/**
 * Migrates older entries to the current form and keeps the valid ones; returns one sentence for each invalid
 * line.
 */
export function parseEntries(values: readonly unknown[]): { entries: SessionEntry[]; warnings: string[] } {
	const entries: SessionEntry[] = [];
	const migrated = migrateEntries(values);
	const { warnings } = migrated;
	migrated.values.forEach((value, index) => {
		const entry = sessionEntry.safeParse(value);
		if (entry.success) entries.push(entry.data);
		else warnings.push(`Entry ${index + 1} of the session makes no sense and was left out.`);
	});
	return { entries, warnings };
}
