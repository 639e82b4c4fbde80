import { z } from 'zod';
import type { Tool } from '../tool.ts';
import { BackgroundProcesses } from './background.ts';

const schema = z.object({});

/** Lists the session's background processes with their states. */
export const listProcesses: Tool<typeof schema> = {
	name: 'list_processes',
	description: 'Lists the background processes you started and whether each still runs.',
	schema,
	access: 'read',
	polls: true,
	execute(_, context) {
		const rows = BackgroundProcesses.of(context.state)
			.list()
			.map(({ id, command, result }) => `${id}: ${command} (${result ? `exited with ${result.exitCode}` : 'running'})`);
		const details = { count: rows.length };
		return Promise.resolve({ content: rows.join('\n') || 'No background processes.', details, isError: false });
	}
};
