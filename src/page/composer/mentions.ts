/** The `@…` being typed just before the caret, and its start. */
export function mentionAt(text: string, caret: number): { query: string; start: number } | null {
	const match = /(?:^|\s)@([\w./-]*)$/.exec(text.slice(0, caret));
	if (!match) return null;
	const query = match[1] ?? '';
	return { query, start: caret - query.length - 1 };
}

/** Matching paths, best first: by file name, then anywhere in the path. */
export function matchPaths(paths: readonly string[], query: string, limit: number): string[] {
	const wanted = query.toLowerCase();
	const scored = paths.flatMap((path) => {
		const lower = path.toLowerCase();
		const name = lower.slice(lower.lastIndexOf('/') + 1);
		if (!lower.includes(wanted)) return [];
		return [{ path, score: (name.startsWith(wanted) ? 0 : name.includes(wanted) ? 1 : 2) * 1000 + path.length }];
	});
	return scored
		.sort((a, b) => a.score - b.score)
		.slice(0, limit)
		.map(({ path }) => path);
}
