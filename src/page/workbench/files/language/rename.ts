import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { CodeEdit, CodeFileEdits } from '#environment/language.ts';
import { t } from '../../../strings/index.ts';

/**
 * Writes the edits of a rename to all files except the one in the editor. All of them are checked before the first is
 * written.
 *
 * @param own absolute path of the file in the editor
 * @param isUnsaved checks an absolute path for unsaved text
 * @returns the edits of the editor's own file
 * @throws Error if a file has unsaved text or has changed; nothing is written then
 */
export async function applyRename(
	environment: ExecutionEnvironment,
	files: readonly CodeFileEdits[],
	own: string,
	isUnsaved: (path: string) => boolean
): Promise<readonly CodeEdit[]> {
	const others = files.filter(({ path }) => path !== own);
	if (files.length === 0) throw new Error(t.code.rename.nothing);
	if (others.some(({ path }) => path.includes('/node_modules/'))) throw new Error(t.code.rename.inPackage);
	const unsaved = others.find(({ path }) => isUnsaved(path));
	if (unsaved) throw new Error(t.code.rename.unsaved(unsaved.path.slice(unsaved.path.lastIndexOf('/') + 1)));
	const written: [path: string, text: string][] = [];
	for (const { path, edits } of others) {
		const text = await environment.readFile(path);
		if (edits.some(({ from, to, old }) => text.slice(from, to) !== old)) throw new Error(t.code.rename.changed);
		written.push([path, withEdits(text, edits)]);
	}
	for (const [path, text] of written) await environment.writeFile(path, text);
	return files.find(({ path }) => path === own)?.edits ?? [];
}

/** Applies edits whose positions refer to the original text. */
function withEdits(text: string, edits: readonly CodeEdit[]): string {
	let at = 0;
	let result = '';
	for (const edit of [...edits].sort((a, b) => a.from - b.from)) {
		result += text.slice(at, edit.from) + edit.text;
		at = edit.to;
	}
	return result + text.slice(at);
}
