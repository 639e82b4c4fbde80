import type { PromptParts } from '../profile.ts';
import type { ToolBinding } from '../tool.ts';

/**
 * Builds the system prompt from its layers; later layers take precedence: base, environment and git, tools, the
 * project's instructions, the user's own (000 §6.1). Empty layers are omitted.
 */
export function buildSystemPrompt(basePrompt: string, tools: readonly ToolBinding[], parts: PromptParts): string {
	const active = tools.filter(({ definition }) => parts.toolNames.includes(definition.name));
	const layers = [
		basePrompt,
		parts.environmentBlock,
		parts.gitSnapshot,
		active.length ? `# Tools\n${active.map(describe).join('\n')}` : '',
		parts.projectInstructions,
		parts.userInstructions ? `# The user's own instructions\n${parts.userInstructions}` : ''
	];
	return layers
		.map((layer) => layer.trim())
		.filter(Boolean)
		.join('\n\n');
}

/** First sentence; the tool's definition contains the whole description. */
function describe({ definition: { name, description } }: ToolBinding): string {
	const sentence = /^[\s\S]*?[.!?](?=\s|$)/.exec(description)?.[0] ?? description;
	return `- ${name}: ${sentence}`;
}
