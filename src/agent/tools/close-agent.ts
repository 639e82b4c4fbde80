import { z } from 'zod';
import type { Tool } from '../tool.ts';
import { agentsOf } from './agents-of.ts';

const schema = z.object({ agent_id: z.string().min(1).describe('The agent.') });

export const closeAgent: Tool<typeof schema> = {
	name: 'close_agent',
	description: 'Ends an agent you started.',
	schema,
	access: 'none',
	async execute({ agent_id }, context) {
		const content = await agentsOf(context).close(agent_id);
		return { content, details: { agentId: agent_id }, isError: false };
	}
};
