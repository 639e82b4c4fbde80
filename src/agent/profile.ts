import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { ToolBinding } from './tool.ts';

/** How one family of models is addressed: data, chosen per model. */
export interface Profile {
	/** `anthropic`, `openai`, `gemini`, `pi`. */
	id: string;
	/** Which client provider serves it; the same as `id` unless a compatible server or the demo does. */
	provider: string;
	model: string;
	tools: ToolBinding[];
	/** Replaces our own words where the host wants others. */
	basePrompt: string;
	/** File names of project instructions it reads beside AGENTS.md. */
	instructionFiles: string[];
	buildSystemPrompt(parts: PromptParts): string;
	providerOptions(): Record<string, unknown>;
	supportsParallelToolCalls: boolean;
	supportsStreaming: boolean;
	supportsReasoning: boolean;
	supportsImages: boolean;
	contextWindowTokens: number;
	maxOutputTokens: number;
	defaultCommandTimeoutMs?: number;
	/** How an edit of a file the model has not read is treated. */
	readBeforeWrite: 'strict' | 'note' | 'off';
}

/** Taken when a session starts and frozen, so that the prompt's prefix stays the same. */
export interface PromptParts {
	environmentBlock: string;
	gitSnapshot: string;
	projectInstructions: string;
	/** The host's or person's own, last and strongest. */
	userInstructions: string;
	toolNames: string[];
}

export type CollectPromptParts = (
	environment: ExecutionEnvironment,
	profile: Profile,
	userInstructions?: string
) => Promise<PromptParts>;
