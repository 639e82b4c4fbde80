import type { ToolBinding } from '../tool.ts';
import { closeAgent } from '../tools/close-agent.ts';
import { sendInput } from '../tools/send-input.ts';
import { spawnAgent } from '../tools/spawn-agent.ts';
import { wait } from '../tools/wait.ts';
import { bind } from './bind.ts';

/** The subagent tools under the specification's names (000 §7.2). */
export function agentTools(): ToolBinding[] {
	return [spawnAgent, sendInput, wait, closeAgent].map((tool) => bind(tool, { name: tool.name }));
}
