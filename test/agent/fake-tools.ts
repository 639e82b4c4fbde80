import { z } from 'zod';
import type { Profile } from '#agent/profile.ts';
import type { Tool, ToolBinding, ToolContext, ToolResult } from '#agent/tool.ts';

/** A tool with the given name that accepts any arguments. */
export function fakeTool(
	name: string,
	execute: (args: Record<string, unknown>, context: ToolContext) => Promise<ToolResult | string> | ToolResult | string,
	access: Tool['access'] = 'read',
	schema: z.ZodType = z.record(z.string(), z.unknown())
): ToolBinding {
	const tool: Tool = {
		name,
		description: name,
		schema,
		access,
		async execute(args, context) {
			const result = await execute(args as Record<string, unknown>, context);
			return typeof result === 'string' ? { content: result, isError: false } : result;
		}
	};
	return { definition: { name, description: name, parameters: { type: 'object' } }, tool };
}

/** Returns its `text` argument. */
export const echo = fakeTool('echo', ({ text }) => String(text ?? 'echo'));

/** Throws, like a broken tool. */
export const broken = fakeTool('broken', () => {
	throw new Error('it broke');
});

export function fakeProfile(tools: ToolBinding[] = [echo], changes: Partial<Profile> = {}): Profile {
	return {
		id: 'anthropic',
		provider: 'fake',
		model: 'fake-1',
		tools,
		basePrompt: 'You help.',
		instructionFiles: [],
		buildSystemPrompt: (parts) => `You help.\n${parts.environmentBlock}`,
		providerOptions: () => ({}),
		supportsParallelToolCalls: true,
		supportsStreaming: true,
		supportsReasoning: true,
		supportsImages: true,
		contextWindowTokens: 200_000,
		maxOutputTokens: 8_000,
		readBeforeWrite: 'off',
		...changes
	};
}
