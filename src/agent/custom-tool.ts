import type { z } from 'zod';
import { bind } from './profiles/bind.ts';
import type { ToolBinding, ToolContext, ToolResult } from './tool.ts';

/** A host's own tool. */
export interface CustomTool<Schema extends z.ZodType> {
	/** Name for the model: letters, digits, `_` and `-`. */
	name: string;
	description: string;
	/** Parameters, an object schema of zod. */
	parameters: Schema;
	/** Effect of the tool. Default `write`: plan mode omits the tool, and its calls run one after another. */
	access?: 'none' | 'read' | 'write';
	/** Runs a call; a string is the text for the model. A thrown error becomes an error result. */
	execute(args: z.output<Schema>, context: ToolContext): Promise<ToolResult | string> | ToolResult | string;
}

/**
 * Creates a tool for `SessionOptions.tools`. It does not ask for permission unless `execute` calls `context.propose`.
 */
export function tool<Schema extends z.ZodType>(custom: CustomTool<Schema>): ToolBinding {
	const { name, description, parameters, access = 'write' } = custom;
	const execute = async (args: z.output<Schema>, context: ToolContext): Promise<ToolResult> => {
		const result = await custom.execute(args, context);
		return typeof result === 'string' ? { content: result, isError: false } : result;
	};
	return bind({ name, description, schema: parameters, access, execute }, { name });
}
