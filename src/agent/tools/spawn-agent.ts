import { z } from 'zod';
import type { Tool } from '../tool.ts';
import { agentsOf } from './agents-of.ts';
import { wait } from './wait.ts';

const schema = z.object({
	task: z.string().min(1).describe('The complete task: it does not see this conversation.'),
	working_dir: z.string().optional().describe('Subdirectory to work in.'),
	model: z.string().optional().describe('A model other than yours.'),
	max_turns: z.number().int().min(0).optional().describe('Maximum number of turns.'),
	overlay: z.boolean().optional().describe('Work on a copy; its changes are merged at the end.'),
	returns_result: z.boolean().optional().describe('Wait until it is done and return its result.')
});

/** Description for vendors whose models expect the result by default. */
export const AGENT_WITH_RESULT =
	'Gives one task to an agent of its own conversation, waits and returns its result. Several calls in one response run at the same time.';

export const spawnAgent: Tool<typeof schema> = {
	name: 'spawn_agent',
	description:
		'Starts an agent of its own conversation for one task and returns its id at once; wait for its result. Several can run at the same time.',
	schema,
	access: 'none',
	async execute({ task, working_dir, model, max_turns, overlay, returns_result }, context) {
		const started = await agentsOf(context).spawn({
			task,
			...(working_dir === undefined ? {} : { workingDirectory: working_dir }),
			...(model === undefined ? {} : { model }),
			...(max_turns === undefined ? {} : { maxTurns: max_turns }),
			...(overlay === undefined ? {} : { overlay })
		});
		if (returns_result) return wait.execute({ agent_id: started.agentId }, context);
		return { content: `Agent ${started.agentId}: ${started.status}`, details: started, isError: false };
	}
};
