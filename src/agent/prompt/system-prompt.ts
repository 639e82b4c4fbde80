import type { PromptParts } from '../profile.ts';
import type { ToolBinding } from '../tool.ts';

/**
 * The system prompt in its layers, the later the stronger: base, environment and git, tools, the
 * project's instructions, the person's own (000 §6.1). Empty layers leave nothing behind.
 */
export function buildSystemPrompt(basePrompt: string, tools: readonly ToolBinding[], parts: PromptParts): string {
	const active = tools.filter(({ definition }) => parts.toolNames.includes(definition.name));
	const layers = [
		basePrompt,
		parts.environmentBlock,
		parts.gitSnapshot,
		active.length ? `# Tools\n${active.map(describe).join('\n')}` : '',
		parts.projectInstructions,
		parts.userInstructions ? `# The person's own instructions\n${parts.userInstructions}` : ''
	];
	return layers
		.map((layer) => layer.trim())
		.filter(Boolean)
		.join('\n\n');
}

/** The first sentence; the whole description stands in the tool's definition. */
function describe({ definition: { name, description } }: ToolBinding): string {
	const sentence = /^[\s\S]*?[.!?](?=\s|$)/.exec(description)?.[0] ?? description;
	return `- ${name}: ${sentence}`;
}
