import type { ToolResult } from '../tool.ts';

/** Creates a result that contains only text. */
export function textResult(content: string): ToolResult {
	return { content, isError: false };
}

/**
 * Creates a result with data for the page in addition to the model's text.
 *
 * @param details plain JSON data
 */
export function detailedResult(content: string, details: unknown, isError = false): ToolResult {
	return { content, details, isError };
}

export function errorResult(content: string, details?: unknown): ToolResult {
	return details === undefined ? { content, isError: true } : { content, details, isError: true };
}

/** Thrown by a tool to end its call with a message for the model; the registry creates the error result. */
export class ToolError extends Error {
	override readonly name = 'ToolError';

	constructor(
		message: string,
		readonly details?: unknown
	) {
		super(message);
	}
}
