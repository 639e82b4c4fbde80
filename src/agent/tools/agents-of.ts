import type { SubagentHost, ToolContext } from '../tool.ts';
import { ToolError } from './result.ts';

/** The host of subagents; an agent at the depth limit has none. */
export function agentsOf(context: ToolContext): SubagentHost {
	if (context.agents) return context.agents;
	throw new ToolError('No further agents can be started from here. Do the work yourself.');
}
