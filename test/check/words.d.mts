export interface CommentLine {
	text: string;
	/** From 1. */
	line: number;
	/** The first line of a docblock that has text. */
	opens: boolean;
}
export function comments(source: string): CommentLine[];
export function findWords(files: string[], root: string, options: { openings: boolean }): string[];
