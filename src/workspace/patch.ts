import { createTwoFilesPatch } from 'diff';

export interface PatchFile {
	path: string;
	before: { text: string | null; mode: number } | null;
	after: { text: string | null; mode: number } | null;
}

const HEADER_LINES = 2;

/**
 * Formats one file's difference like `git diff`, so that `git apply` accepts it. A binary file is only named. A file
 * that is on neither side, because it went while the patch was made, gives no text.
 */
export function gitPatch({ path, before, after }: PatchFile): string {
	if (!before && !after) return '';
	const lines = [`diff --git a/${path} b/${path}`];
	if (!before && after) lines.push(`new file mode ${octal(after.mode)}`);
	else if (before && !after) lines.push(`deleted file mode ${octal(before.mode)}`);
	else if (before && after && before.mode !== after.mode)
		lines.push(`old mode ${octal(before.mode)}`, `new mode ${octal(after.mode)}`);
	const from = before ? `a/${path}` : '/dev/null';
	const to = after ? `b/${path}` : '/dev/null';
	if ((before && before.text === null) || (after && after.text === null)) {
		lines.push(`Binary files ${from} and ${to} differ`);
		return lines.join('\n') + '\n';
	}
	const beforeText = before?.text ?? '';
	const afterText = after?.text ?? '';
	if (beforeText === afterText) return lines.join('\n') + '\n';
	const unified = createTwoFilesPatch(from, to, beforeText, afterText, undefined, undefined, { context: 3 });
	// The library's first line is a ruler; the file names carry no dates here.
	const body = unified.split('\n').slice(1);
	const names = body.slice(0, HEADER_LINES).map((line) => line.replace(/\t.*$/, ''));
	return [...lines, ...names, ...body.slice(HEADER_LINES)].join('\n');
}

function octal(mode: number): string {
	return mode.toString(8).padStart(6, '0');
}
