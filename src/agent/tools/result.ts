import type { ToolResult } from '../tool.ts';

/** A result that is only text. */
export function textResult(content: string): ToolResult {
	return { content, isError: false };
}

/**
 * A result with data for the page beside the model's text.
 *
 * @param details plain JSON data
 */
export function detailedResult(content: string, details: unknown, isError = false): ToolResult {
	return { content, details, isError };
}

export function errorResult(content: string, details?: unknown): ToolResult {
	return details === undefined ? { content, isError: true } : { content, details, isError: true };
}

/** Thrown by a tool to end its call with a sentence for the model; the registry makes the error result. */
export class ToolError extends Error {
	override readonly name = 'ToolError';

	constructor(
		message: string,
		readonly details?: unknown
	) {
		super(message);
	}
}
