import { z } from 'zod';

/** What was wrong with a call's arguments, as a sentence the model can act on. */
export function invalidArguments(toolName: string, issues: readonly z.core.$ZodIssue[]): string {
	const faults = issues.map((issue) => `${issue.path.length ? issue.path.join('.') : 'arguments'}: ${issue.message}`);
	return `Invalid arguments for ${toolName}: ${faults.join('; ')}. Correct them and call the tool again.`;
}

/**
 * Parses a vendor's parameters.
 *
 * @throws Error with {@link invalidArguments}
 */
export function parseWith<Schema extends z.ZodType>(schema: Schema, toolName: string, args: unknown): z.infer<Schema> {
	const parsed = schema.safeParse(args);
	if (parsed.success) return parsed.data;
	throw new Error(invalidArguments(toolName, parsed.error.issues));
}

/** The JSON Schema shown to a model, without the dialect line, which some providers refuse. */
export function parametersOf(schema: z.ZodType): Record<string, unknown> {
	const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
	return parameters;
}
