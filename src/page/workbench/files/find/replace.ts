import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { FoundFile } from './search.ts';

/** Outcome of a replacement. */
interface Replaced {
	/** Number of matches that were replaced. */
	places: number;
	/** Paths of the files that were written. */
	files: readonly string[];
	/** Skipped files: changed since the search, or with unsaved text. */
	skipped: readonly string[];
}

/**
 * Replaces every match by a literal text. Files that have changed since the search, or have unsaved text in the editor,
 * are skipped.
 */
export async function replaceAll(
	environment: ExecutionEnvironment,
	found: readonly FoundFile[],
	replacement: string,
	isUnsaved: (path: string) => boolean
): Promise<Replaced> {
	const files: string[] = [];
	const skipped: string[] = [];
	let places = 0;
	for (const file of found) {
		const text = isUnsaved(file.path) ? null : await environment.readFile(file.path);
		const replaced = text === null ? null : replaceIn(text, file, replacement);
		if (replaced === null) {
			skipped.push(file.path);
			continue;
		}
		await environment.writeFile(file.path, replaced);
		files.push(file.path);
		places += file.lines.reduce((sum, { ranges }) => sum + ranges.length, 0);
	}
	return { places, files, skipped };
}

/** Text with the matches replaced; `null` if a line has changed since the search. */
function replaceIn(text: string, { lines: found }: FoundFile, replacement: string): string | null {
	const lines = text.split('\n');
	for (const { line, text: expected, ranges } of found) {
		const now = lines[line - 1];
		if (now?.replace(/\r$/, '') !== expected) return null;
		let rest = 0;
		let written = '';
		for (const [from, to] of ranges) {
			written += now.slice(rest, from) + replacement;
			rest = to;
		}
		lines[line - 1] = written + now.slice(rest);
	}
	return lines.join('\n');
}
