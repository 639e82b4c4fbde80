import type { CheckerProblem, TextEdit } from './messages.ts';

/** JSON files that may contain comments. */
const WITH_COMMENTS =
	/(?:^|\/)(?:[jt]sconfig[^/]*\.json|\.vscode\/[^/]+|\.devcontainer\/[^/]+|\.?devcontainer\.json|\.eslintrc\.json|\.swcrc|api-extractor\.json|deno\.json|turbo\.json|[^/]+\.code-workspace)$/;

/** Reports errors of `JSON.parse` in a file that is new or was valid before the change. */
export function jsonProblems({ path, before, after }: TextEdit): CheckerProblem[] {
	if (!path.endsWith('.json') || WITH_COMMENTS.test(path) || after === null || after.trim() === '') return [];
	const failure = parseFailure(after);
	if (failure === null || (before !== null && before.trim() !== '' && parseFailure(before) !== null)) return [];
	return [{ path, ...placeOf(failure, after), severity: 'error', message: failure }];
}

function parseFailure(text: string): string | null {
	try {
		JSON.parse(text);
		return null;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

/** The position in the message depends on the engine and may be missing. */
function placeOf(message: string, text: string): { line: number; column: number } {
	const named = /line (\d+) column (\d+)/.exec(message);
	if (named) return { line: Math.max(1, Number(named[1])), column: Math.max(1, Number(named[2])) };
	const position = /at position (\d+)/.exec(message);
	const isAtEnd = /end of (?:JSON|data|file)|Unexpected EOF|Unterminated/i.test(message);
	if (!position && !isAtEnd) return { line: 1, column: 1 };
	const lines = text.slice(0, position ? Number(position[1]) : text.length).split('\n');
	return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
