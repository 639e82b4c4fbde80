import type { ToolBinding } from '../tool.ts';
import { closeAgent } from '../tools/close-agent.ts';
import { sendInput } from '../tools/send-input.ts';
import { spawnAgent } from '../tools/spawn-agent.ts';
import { wait } from '../tools/wait.ts';
import { bind } from './bind.ts';

/** The subagent tools under the specification's names (000 §7.2), for models whose own agent has none. */
export function agentTools(): ToolBinding[] {
	return [
		bind(spawnAgent, { name: 'spawn_agent', schema: spawnAgent.schema.omit({ returns_result: true }) }),
		...[sendInput, wait, closeAgent].map((tool) => bind(tool, { name: tool.name }))
	];
}
