import { z } from 'zod';
import type { SubagentHost, Tool, ToolContext } from '../tool.ts';
import { ToolError } from './result.ts';

const schema = z.object({
	task: z.string().min(1).describe('What it is to do, complete in itself: it knows nothing of this conversation.'),
	working_dir: z.string().optional().describe('A subdirectory to keep to.'),
	model: z.string().optional().describe('Another model than yours.'),
	max_turns: z.number().int().min(0).optional().describe('Most turns it may take.'),
	overlay: z.boolean().optional().describe('Work on a copy whose changes are merged when it is done.')
});

/** Returns the host of subagents. @throws ToolError for an agent at the depth limit, which has none */
export function agentsOf(context: ToolContext): SubagentHost {
	if (context.agents) return context.agents;
	throw new ToolError('No further agents can be started from here. Do the work yourself.');
}

export const spawnAgent: Tool<typeof schema> = {
	name: 'spawn_agent',
	description:
		'Starts an agent of its own conversation for one task and returns its id at once; wait for its result. Several can run at the same time.',
	schema,
	access: 'none',
	async execute({ task, working_dir, model, max_turns, overlay }, context) {
		const started = await agentsOf(context).spawn({
			task,
			...(working_dir === undefined ? {} : { workingDirectory: working_dir }),
			...(model === undefined ? {} : { model }),
			...(max_turns === undefined ? {} : { maxTurns: max_turns }),
			...(overlay === undefined ? {} : { overlay })
		});
		return { content: `Agent ${started.agentId}: ${started.status}`, details: started, isError: false };
	}
};
