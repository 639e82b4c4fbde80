import { z } from 'zod';
import type { Tool } from '../tool.ts';
import { agentsOf } from './agents-of.ts';

const schema = z.object({
	agent_id: z.string().min(1).describe('The agent.'),
	message: z.string().min(1).describe('The message.')
});

export const sendInput: Tool<typeof schema> = {
	name: 'send_input',
	description: 'Sends a message to an agent you started.',
	schema,
	access: 'none',
	async execute({ agent_id, message }, context) {
		const content = await agentsOf(context).send(agent_id, message);
		return { content, details: { agentId: agent_id }, isError: false };
	}
};
