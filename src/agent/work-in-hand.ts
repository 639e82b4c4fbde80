import type { PermissionMode } from './guards/permission-types.ts';
import type { TodoItem } from './todo.ts';

/** State of a session that is not part of any message and must survive compaction. */
export interface WorkInHand {
	mode: PermissionMode;
	todo: readonly TodoItem[];
	/** Background commands that still run. */
	processes: readonly { id: number; command: string }[];
	/** Ids of working subagents. */
	subagents: readonly string[];
}

/** Renders the state as the block at the end of a summary. */
export function renderWork({ mode, todo, processes, subagents }: WorkInHand): string {
	const lines = [
		`Permission mode: ${mode}${mode === 'plan' ? ', so nothing is changed or run until the user starts the work' : ''}`,
		...section('Task list', todo, ({ status, content }) => `[${status}] ${content}`),
		...section('Background processes still running', processes, ({ id, command }) => `${id}: ${command}`),
		...section('Subagents still at work', subagents, (agentId) => agentId)
	];
	return `<work-in-hand as-of="this compaction">\n${lines.join('\n')}\n</work-in-hand>`;
}

function section<T>(title: string, items: readonly T[], line: (item: T) => string): string[] {
	return items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `- ${line(item)}`)];
}
