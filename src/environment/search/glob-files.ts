import { globMatcher } from './bounded-pattern.ts';

/**
 * Finds the files whose path matches, newest first.
 *
 * @param files paths below the searched directory, `/` between parts
 * @param modifiedMs `undefined` for a file that is gone
 */
export async function globFiles(
	pattern: string,
	files: AsyncIterable<string>,
	modifiedMs: (path: string) => Promise<number | undefined> | number | undefined
): Promise<string[]> {
	const matches = globMatcher(pattern.replace(/^\.\//, ''));
	const found: { path: string; modified: number }[] = [];
	for await (const path of files) {
		if (!matches(path)) continue;
		const modified = await modifiedMs(path);
		if (modified !== undefined) found.push({ path, modified });
	}
	found.sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1));
	return found.map(({ path }) => path);
}
