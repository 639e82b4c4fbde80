import type { ModelTraits } from '#llm/catalog-types.ts';
import { modelTraits } from '#llm/catalog.ts';
import { buildSystemPrompt } from '../prompt/system-prompt.ts';
import type { Profile } from '../profile.ts';
import type { ToolBinding } from '../tool.ts';
import { ToolRegistry } from '../tools/registry.ts';
import type { ProfileOptions } from './options.ts';

/** Common data of a family of models. */
export interface ProfileFamily {
	id: string;
	tools: ToolBinding[];
	basePrompt: string;
	instructionFiles: string[];
	providerOptions: Record<string, unknown>;
	/** Default for unknown models. */
	contextWindowTokens: number;
	maxOutputTokens: number;
	defaultCommandTimeoutMs?: number;
	readBeforeWrite: Profile['readBeforeWrite'];
}

/**
 * Creates a profile from the family's defaults, overridden by the catalog's data on the model and by the host's
 * options.
 */
export function makeProfile(family: ProfileFamily, options: ProfileOptions): Profile {
	const registry = new ToolRegistry([...family.tools, ...(options.tools ?? [])]);
	const tools = registry.names().flatMap((name) => registry.find(name) ?? []);
	const basePrompt = options.basePrompt ?? family.basePrompt;
	const traits = modelTraits(options.model);
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
		supportsReasoning: options.supportsReasoning ?? traits?.reasoning !== 'none',
		supportsImages: options.supportsImages ?? traits?.images ?? true,
		contextWindowTokens: options.contextWindowTokens ?? promptTokens(traits) ?? family.contextWindowTokens,
		maxOutputTokens: options.maxOutputTokens ?? traits?.maxOutput ?? family.maxOutputTokens,
		...(timeout === undefined ? {} : { defaultCommandTimeoutMs: timeout }),
		readBeforeWrite: options.readBeforeWrite ?? family.readBeforeWrite
	};
}

/**
 * Maximum tokens of a prompt. OpenAI reserves room for the longest answer; other providers reserve only the requested
 * output.
 */
function promptTokens(traits: ModelTraits | undefined): number | undefined {
	return traits?.reasoning === 'effort' ? traits.contextWindow - traits.maxOutput : traits?.contextWindow;
}
