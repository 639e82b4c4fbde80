import type { Problem } from '#environment/contract.ts';

const MAX_LISTED = 12;
const MAX_MESSAGE = 300;

/**
 * Formats problems for the end of a result: marked, limited in size, one line each. Messages may quote the project's
 * text, which cannot close the mark.
 */
export function diagnosticsBlock(problems: readonly (Problem & { shownPath: string })[]): string {
	const lines = problems.slice(0, MAX_LISTED).map(({ shownPath, line, column, severity, code, message }) => {
		const [first = '', ...rest] = message.split('\n');
		const words = rest.length > 0 ? `${first} ${rest.map((each) => each.trim()).join(' ')}` : first;
		const cut = words.length > MAX_MESSAGE ? `${words.slice(0, MAX_MESSAGE)}…` : words;
		return `${shownPath}:${line}:${column} ${severity}${code ? ` ${code}` : ''}: ${cut}`;
	});
	const left = problems.length - lines.length;
	if (left > 0) lines.push(`and ${left} more`);
	const body = lines.join('\n').replace(/<(\/?)diagnostics\b/gi, '<$1\u200bdiagnostics');
	return `<diagnostics>\nNew since this change:\n${body}\n</diagnostics>`;
}
