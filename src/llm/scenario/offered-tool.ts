import { z } from 'zod';
import type { ToolDefinition } from '../types.ts';

/** A tool that a request offers, which a scripted call must fit. */
export interface OfferedTool {
	name: string;
	properties: string[];
	required: string[];
	/** Takes free-form text instead of JSON. */
	custom: boolean;
}

const objectSchema = z.object({
	properties: z.record(z.string(), z.unknown()).catch({}),
	required: z.array(z.string()).catch([])
});

/**
 * Describes an offered tool.
 * @param schema JSON Schema of its parameters; anything else means none
 */
export function offeredTool(name: string, schema: unknown, custom = false): OfferedTool {
	const parsed = objectSchema.safeParse(schema);
	if (!parsed.success) return { name, properties: [], required: [], custom };
	return { name, properties: Object.keys(parsed.data.properties), required: parsed.data.required, custom };
}

export function offeredFromDefinition(definition: ToolDefinition): OfferedTool {
	return offeredTool(definition.name, definition.parameters, definition.custom !== undefined);
}
