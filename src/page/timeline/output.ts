/** Last lines of a text, and the number of lines before them. */
export function tail(text: string, lines: number): { text: string; hidden: number } {
	let at = text.endsWith('\n') ? text.length - 1 : text.length;
	for (let count = 0; count < lines; count += 1) {
		const next = text.lastIndexOf('\n', at - 1);
		if (next < 0 || at === 0) return { text, hidden: 0 };
		at = next;
	}
	const hidden = text.slice(0, at).split('\n').length;
	return { text: text.slice(at + 1), hidden };
}

/** Exit code in a tool's details or output. */
export function exitCodeOf(details: unknown): number | undefined {
	if (typeof details !== 'object' || details === null) return undefined;
	if ('exitCode' in details && typeof details.exitCode === 'number') return details.exitCode;
	return undefined;
}
