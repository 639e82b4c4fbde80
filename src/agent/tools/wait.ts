import { z } from 'zod';
import type { Tool } from '../tool.ts';
import { agentsOf } from './spawn-agent.ts';

const schema = z.object({ agent_id: z.string().min(1).describe('The agent.') });

export const wait: Tool<typeof schema> = {
	name: 'wait',
	description: 'Waits until an agent you started is done and returns its result.',
	schema,
	access: 'none',
	polls: true,
	async execute({ agent_id }, context) {
		const { output, success, turns } = await agentsOf(context).wait(agent_id, context.signal);
		const content = `${output}\n\n[Agent ${agent_id}: ${success ? 'completed' : 'failed'}, ${turns} turns used]`;
		return { content, details: { agentId: agent_id, output, success, turns }, isError: !success };
	}
};
