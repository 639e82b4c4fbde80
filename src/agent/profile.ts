import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { ToolBinding } from './tool.ts';

/** Data that adapts the agent to one family of models, chosen per model. */
export interface Profile {
	/** `anthropic`, `openai`, `gemini`, `pi`. */
	id: string;
	/** Provider of the client; equals `id` unless a compatible server or the demo serves it. */
	provider: string;
	model: string;
	tools: ToolBinding[];
	/** Replaced by the host's text, if any. */
	basePrompt: string;
	/** File names of project instructions read in addition to AGENTS.md. */
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
	/** Handling of edits to a file that the model has not read. */
	readBeforeWrite: 'strict' | 'note' | 'off';
}

/** Parts of the system prompt, collected once per session and frozen, so that its prefix stays cacheable. */
export interface PromptParts {
	environmentBlock: string;
	gitSnapshot: string;
	projectInstructions: string;
	/** Absolute paths of the files that `projectInstructions` comes from. */
	instructionPaths?: readonly string[];
	/** Instructions of the host or user; last, with the highest priority. */
	userInstructions: string;
	toolNames: string[];
}

export type CollectPromptParts = (
	environment: ExecutionEnvironment,
	profile: Profile,
	userInstructions?: string
) => Promise<PromptParts>;
