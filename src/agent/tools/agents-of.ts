import type { SubagentHost, ToolContext } from '../tool.ts';
import { ToolError } from './result.ts';

/** Returns the host of subagents. @throws ToolError for an agent at the depth limit, which has none */
export function agentsOf(context: ToolContext): SubagentHost {
	if (context.agents) return context.agents;
	throw new ToolError('No further agents can be started from here. Do the work yourself.');
}
