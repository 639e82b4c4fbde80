import { z } from 'zod';
import type { SessionEntry } from './session-log.ts';
import type { TodoItem } from './todo.ts';

const details = z.object({
	todos: z.array(z.object({ content: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) }))
});

/**
 * Restores the task list from the log's last `todo` call, whose result contains the whole list, or from a fork's start.
 */
export function restoredTodo(branch: readonly SessionEntry[]): TodoItem[] {
	for (const entry of branch.toReversed()) {
		if (entry.type === 'todo_list') return entry.items;
		if (entry.type !== 'event' || entry.event.type !== 'tool_call_end' || entry.event.isError) continue;
		const parsed = details.safeParse(entry.event.details);
		if (parsed.success) return parsed.data.todos;
	}
	return [];
}
