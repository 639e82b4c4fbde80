import type { z } from 'zod';
import type { Tool, ToolBinding, ToolContext } from '../tool.ts';
import { parametersOf, parseArguments } from '../tools/arguments.ts';

interface BindOptions<Schema extends z.ZodType> {
	/** Name for the model. */
	name: string;
	description?: string;
	aliases?: string[];
	/** The vendor's parameters, if they differ from the tool's own. */
	schema?: Schema;
	/** Converts the vendor's parameters to the tool's own. */
	toNeutral?(args: z.infer<Schema>): Record<string, unknown>;
	/** Names of the tool's parameters in texts for the model, if they differ; `null` for an omitted one. */
	parameterNames?: Readonly<Record<string, string | null>>;
	present?: ToolBinding['present'];
	custom?: ToolBinding['definition']['custom'];
}

/** Shows a tool to a model under a vendor's name and parameters. */
export function bind<Schema extends z.ZodType>(tool: AnyTool, options: BindOptions<Schema>): ToolBinding {
	const { name, description, aliases, schema, toNeutral, parameterNames, present, custom } = options;
	return {
		definition: {
			name,
			description: description ?? tool.description,
			parameters: parametersOf(schema ?? tool.schema),
			...(custom ? { custom } : {})
		},
		tool: asTool(tool, parameterNames),
		...(aliases ? { aliases } : {}),
		...(schema && toNeutral ? { adapt: (args) => defined(toNeutral(parsed(schema, name, args))) } : {}),
		...(present ? { present } : {})
	};
}

/** @throws Error with a message that the model can act on */
function parsed<Schema extends z.ZodType>(schema: Schema, toolName: string, args: unknown): z.infer<Schema> {
	const result = parseArguments(schema, toolName, args);
	if (!result.ok) throw new Error(result.message);
	return result.value;
}

/** A tool with any schema; its arguments are checked against that schema before it runs. */
export interface AnyTool extends Omit<Tool, 'execute'> {
	execute(args: never, context: Parameters<Tool['execute']>[1]): ReturnType<Tool['execute']>;
}

function asTool(tool: AnyTool, parameterNames: ToolContext['parameterNames']): Tool {
	return {
		...tool,
		execute: (args, context) =>
			tool.execute(tool.schema.parse(args) as never, parameterNames ? { ...context, parameterNames } : context)
	};
}

/** Removes the keys with undefined values. */
function defined(record: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
