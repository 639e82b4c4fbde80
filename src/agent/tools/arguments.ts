import { z } from 'zod';
import { asMeant } from './meant-arguments.ts';

/** Validated arguments of a call, or a message that the model can act on. */
export type ParsedArguments<Schema extends z.ZodType> =
	{ ok: true; value: z.output<Schema> } | { ok: false; message: string };

/**
 * Checks a call's arguments. Obvious mistakes are corrected (see {@link asMeant}); anything else that the schema does
 * not define is refused, since a call that silently ignores some of its arguments does something else.
 */
export function parseArguments<Schema extends z.ZodType>(
	schema: Schema,
	toolName: string,
	args: unknown
): ParsedArguments<Schema> {
	const asSent = schema.safeParse(args);
	const parsed = asSent.success ? asSent : schema.safeParse(asMeant(args, asSent.error.issues));
	const unknown = unknownArguments(schema, args);
	if (parsed.success && unknown === null) return { ok: true, value: parsed.data };
	const issues = parsed.success ? [] : parsed.error.issues;
	const faults = issues.map(({ path, message }) => `${path.length > 0 ? path.join('.') : 'arguments'}: ${message}`);
	if (unknown !== null) faults.push(unknown);
	const message = `Invalid arguments for ${toolName}: ${faults.join('; ')}. Correct them and call the tool again.`;
	return { ok: false, message };
}

/**
 * @returns a message about keys that the schema does not know, or `null` if there are none or the schema accepts any
 * key
 */
function unknownArguments(schema: z.ZodType, args: unknown): string | null {
	if (!(schema instanceof z.ZodObject) || schema.def.catchall !== undefined) return null;
	if (typeof args !== 'object' || args === null) return null;
	const known = Object.keys(schema.shape);
	const unknown = Object.keys(args).filter((name) => !known.includes(name));
	if (unknown.length === 0) return null;
	const names = unknown.map((name) => JSON.stringify(name)).join(', ');
	return `${names}: not a parameter; the parameters are ${known.join(', ') || 'none'}`;
}

/** JSON Schema shown to a model, without `$schema`, which some providers refuse. */
export function parametersOf(schema: z.ZodType): Record<string, unknown> {
	const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
	return parameters;
}
