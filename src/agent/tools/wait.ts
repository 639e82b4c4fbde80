import { z } from 'zod';
import type { Tool } from '../tool.ts';
import { agentsOf } from './agents-of.ts';

const LONGEST_MS = 3_600_000;

const schema = z.object({
	agent_id: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).describe('The agent, or several.'),
	timeout_ms: z.number().int().min(1).max(LONGEST_MS).optional().describe('How long to wait at most.')
});

export const wait: Tool<typeof schema> = {
	name: 'wait',
	description:
		'Waits until an agent you started is done and returns its result; of several, until the first of them is, with all that are done by then.',
	schema,
	access: 'none',
	polls: true,
	async execute({ agent_id, timeout_ms }, context) {
		const agents = agentsOf(context);
		const agentIds = [...new Set(typeof agent_id === 'string' ? [agent_id] : agent_id)];
		const done = await agents.anyDone(agentIds, timeout_ms, context.signal);
		const results = [];
		for (const agentId of done) results.push({ agentId, ...(await agents.wait(agentId, context.signal)) });
		const parts = results.map(
			({ agentId, output, success, turns }) =>
				`${output}\n\n[Agent ${agentId}: ${success ? 'completed' : 'failed'}, ${turns} turns used]`
		);
		const working = agentIds.filter((agentId) => !done.includes(agentId));
		if (working.length > 0) parts.push(`[Still working: ${working.join(', ')}. Wait again for the rest.]`);
		const [only] = results;
		return {
			content: parts.join('\n\n'),
			details: agentIds.length === 1 && only ? only : { results, working },
			isError: results.length > 0 && results.every(({ success }) => !success)
		};
	}
};
