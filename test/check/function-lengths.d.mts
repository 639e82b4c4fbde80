export const MAX_FUNCTION_LINES: number;
export function findLongFunctions(files: string[], root: string): string[];
export interface FunctionLength {
	name: string;
	/** From 1. */
	line: number;
	lines: number;
}
export function functionLengths(source: string): FunctionLength[];
