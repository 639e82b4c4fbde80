import { buildSystemPrompt } from '../prompt/system-prompt.ts';
import type { Profile } from '../profile.ts';
import type { ToolBinding } from '../tool.ts';
import { ToolRegistry } from '../tools/registry.ts';
import type { ProfileOptions } from './options.ts';

/** What a family of models brings. */
export interface ProfileFamily {
	id: string;
	tools: ToolBinding[];
	basePrompt: string;
	instructionFiles: string[];
	providerOptions: Record<string, unknown>;
	contextWindowTokens: number;
	maxOutputTokens: number;
	defaultCommandTimeoutMs?: number;
	readBeforeWrite: Profile['readBeforeWrite'];
}

/** A profile of a family, with what the host chose over it. */
export function makeProfile(family: ProfileFamily, options: ProfileOptions): Profile {
	const registry = new ToolRegistry([...family.tools, ...(options.tools ?? [])]);
	const tools = registry.names().flatMap((name) => registry.find(name) ?? []);
	const basePrompt = options.basePrompt ?? family.basePrompt;
	const timeout = options.defaultCommandTimeoutMs ?? family.defaultCommandTimeoutMs;
	return {
		id: family.id,
		provider: options.provider ?? family.id,
		model: options.model,
		tools,
		basePrompt,
		instructionFiles: family.instructionFiles,
		buildSystemPrompt: (parts) => buildSystemPrompt(basePrompt, tools, parts),
		providerOptions: () => ({ ...family.providerOptions, ...options.providerOptions }),
		supportsParallelToolCalls: true,
		supportsStreaming: true,
		supportsReasoning: options.supportsReasoning ?? true,
		supportsImages: options.supportsImages ?? true,
		contextWindowTokens: options.contextWindowTokens ?? family.contextWindowTokens,
		maxOutputTokens: options.maxOutputTokens ?? family.maxOutputTokens,
		...(timeout === undefined ? {} : { defaultCommandTimeoutMs: timeout }),
		readBeforeWrite: options.readBeforeWrite ?? family.readBeforeWrite
	};
}
