import { z } from 'zod';

const fields = z.object({
	message: z.string().optional().catch(undefined),
	type: z.string().optional().catch(undefined),
	code: z.union([z.string(), z.number()]).nullish().catch(undefined),
	status: z.string().optional().catch(undefined)
});
const wrapped = z.object({ error: z.union([fields, z.string()]) });

export interface ErrorDetails {
	message?: string;
	/** The most specific of the provider's own codes. */
	code?: string;
}

/**
 * Parses the error bodies of the providers: `{error: {type, code, status, message}}`, Gemini's list of one, a bare
 * object, or an SSE `data:` line with one of these. Anything else yields no details.
 */
export function errorDetails(body: string): ErrorDetails {
	const value = parse(body);
	const first: unknown = Array.isArray(value) ? value[0] : value;
	const outer = wrapped.safeParse(first);
	if (outer.success && typeof outer.data.error === 'string') return { message: outer.data.error };
	const inner = fields.safeParse(outer.success ? outer.data.error : first);
	if (!inner.success) return {};
	const { message, type, code, status } = inner.data;
	const details: ErrorDetails = {};
	if (message) {
		// The Gemini SDK wraps the body once more, as the text of its own message.
		const nested = message.trimStart().startsWith('{') ? errorDetails(message) : {};
		details.message = nested.message ?? message;
		if (nested.code) details.code = nested.code;
	}
	const own = typeof code === 'string' ? code : (status ?? type);
	details.code ??= own;
	return details;
}

function parse(body: string): unknown {
	try {
		return JSON.parse(body.trim().replace(/^data:\s*/, ''));
	} catch {
		return undefined;
	}
}
