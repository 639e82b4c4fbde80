import { binaryBytes, splitLines } from '../diff/lines.ts';
import { chosenEditor, editFile } from '../editor.ts';
import type { Invocation } from '../invocation.ts';
import { commentMark } from '../history/commit-message.ts';
import type { ChoiceMode } from './choice-mode.ts';
import { countsOf, headText, readRange, type Hunk } from './hunk.ts';

const FILE = 'addp-hunk-edit.diff';

/** Opens a hunk in the editor. @returns the edited hunk; null if the user deleted all lines, which cancels the edit */
export function editedHunk(git: Invocation, hunk: Hunk, { isReverse, marked }: ChoiceMode): Hunk | null {
	const { repository } = git;
	const mark = commentMark(repository.config);
	const comment = (text: string) => text.replace(/^(?=[^])/gm, `${mark} `);
	const [removed, added] = isReverse ? ['+', '-'] : ['-', '+'];
	const text = [
		comment('Manual hunk edit mode -- see bottom for a quick guide.\n'),
		headText(hunk, 0, isReverse),
		...hunk.lines,
		comment(
			`---\nTo remove '${removed}' lines, make them ' ' lines (context).\nTo remove '${added}' lines, delete them.\n` +
				`Lines starting with ${mark} will be removed.\n` +
				`If the patch applies cleanly, the edited hunk will immediately be marked for ${marked}.\n` +
				'If it does not apply cleanly, you will be given an opportunity to\nedit again.  If all lines of the hunk are removed, then the edit is\naborted and the hunk is left unchanged.\n'
		)
	].join('');
	const { files, gitDir } = repository;
	files.writeFile(`${gitDir}/${FILE}`, binaryBytes(text));
	editFile(git, chosenEditor(git) ?? 'vi', FILE);
	const lines = splitLines(files.readFile(`${gitDir}/${FILE}`)).filter((line) => !line.startsWith(mark));
	files.remove(`${gitDir}/${FILE}`, { force: true });
	if (lines.length === 0 || !hunk.range) return null;
	const given = readRange(lines[0]!);
	const content = lines[0]!.startsWith('@') ? lines.slice(1) : lines;
	const range = { ...(given ?? hunk.range), ...countsOf(content) };
	const shift = hunk.range.oldCount - hunk.range.newCount - range.oldCount + range.newCount;
	return { ...hunk, range, lines: content, painted: content, shift: hunk.shift + shift };
}
