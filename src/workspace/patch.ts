import { escapedPath } from '#environment/escaped-path.ts';
import { createTwoFilesPatch } from 'diff';

export interface PatchFile {
	path: string;
	before: { text: string | null; mode: number } | null;
	after: { text: string | null; mode: number } | null;
}

/** Number of lines that the library writes above the hunks: a separator and the two names. */
const HEADER_LINES = 3;

/**
 * Formats one file's difference like `git diff`, so that `git apply` accepts it. A binary file is only named. A file
 * that exists on neither side, because it was removed while the patch was created, yields an empty text.
 */
export function gitPatch({ path, before, after }: PatchFile): string {
	if (!before && !after) return '';
	const names = { before: quoted(`a/${path}`), after: quoted(`b/${path}`) };
	const lines = [`diff --git ${names.before} ${names.after}`];
	if (!before && after) lines.push(`new file mode ${octal(after.mode)}`);
	else if (before && !after) lines.push(`deleted file mode ${octal(before.mode)}`);
	else if (before && after && before.mode !== after.mode)
		lines.push(`old mode ${octal(before.mode)}`, `new mode ${octal(after.mode)}`);
	const from = before ? names.before : '/dev/null';
	const to = after ? names.after : '/dev/null';
	if ((before && before.text === null) || (after && after.text === null)) {
		lines.push(`Binary files ${from} and ${to} differ`);
		return lines.join('\n') + '\n';
	}
	const beforeText = before?.text ?? '';
	const afterText = after?.text ?? '';
	if (beforeText === afterText) return lines.join('\n') + '\n';
	const unified = createTwoFilesPatch('a', 'b', beforeText, afterText, undefined, undefined, { context: 3 });
	return [...lines, `--- ${from}`, `+++ ${to}`, ...unified.split('\n').slice(HEADER_LINES)].join('\n');
}

/** Quotes a name as git does if it contains quotes, backslashes or control characters. */
function quoted(name: string): string {
	const escaped = escapedPath(name);
	return escaped === name ? name : `"${escaped}"`;
}

function octal(mode: number): string {
	return mode.toString(8).padStart(6, '0');
}
