import { z } from 'zod';
import type { Tool } from '../tool.ts';
import { agentsOf } from './spawn-agent.ts';
import { wait } from './wait.ts';

const schema = z.object({
	task: z.string().min(1).describe('What it is to do, complete in itself: it knows nothing of this conversation.'),
	model: z.string().optional().describe('Another model than yours.')
});

/** Starts an agent and waits for its result, in one call. */
export const runAgent: Tool<typeof schema> = {
	name: 'run_agent',
	description:
		'Gives one task to an agent of its own conversation, waits and returns its result. Several calls in one response run at the same time.',
	schema,
	access: 'none',
	async execute({ task, model }, context) {
		const { agentId } = await agentsOf(context).spawn({ task, ...(model === undefined ? {} : { model }) });
		return wait.execute({ agent_id: agentId }, context);
	}
};
