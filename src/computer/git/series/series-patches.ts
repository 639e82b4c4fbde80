import { encode } from '../bytes.ts';
import { firstParentChanges } from '../history/first-parent-changes.ts';
import { filePatchLines } from '../diff/file-patch-lines.ts';
import type { Change } from '../diff/change.ts';
import type { DiffFormat } from '../diff/format.ts';
import { binaryText, nameText } from '../diff/lines.ts';
import { diffFormat, formatHow } from '../diff/options.ts';
import { inOrder } from '../history/commit-order.ts';
import { formatCommit } from '../history/format.ts';
import { LOG_OPTIONS, logFormat } from '../history/log-format.ts';
import { walkHistory, type Range, type Revision } from '../history/walk.ts';
import type { Invocation } from '../invocation.ts';
import { modeText } from '../objects/tree.ts';
import { parseOptions } from '../options.ts';
import type { Pathspec } from '../worktree/pathspec.ts';

/** A commit of a series, as text to compare with another. */
export interface SeriesPatch {
	revision: Revision;
	/** Author, message, notes and changes, as binary text. */
	text: string;
	/** Only the changes; the whole text if there are none. */
	diff: string;
	/** Number of lines in the changes. */
	size: number;
}

/** Options for reading the patches of a series. */
export interface SeriesHow {
	/** Note options of `git log`; without them, the default notes are included. */
	notes: readonly string[];
	pathspec: Pathspec;
}

/** Patches of the commits in a range, without merges, oldest first. */
export function seriesPatches(git: Invocation, range: Range, { notes, pathspec }: SeriesHow): SeriesPatch[] {
	const { repository } = git;
	const given = [
		...['--no-color', '--decorate=no', '--no-abbrev-commit', '--pretty=medium'],
		...['--no-prefix', '--submodule=short', '--notes']
	];
	const options = parseOptions('range-diff', [...given, ...notes], LOG_OPTIONS);
	const format = logFormat(git, options);
	const shown = diffFormat(options, true, formatHow(git, true));
	const found = inOrder([...walkHistory(repository, range)], 'committed', ({ commit }) => commit.parents);
	const patches: SeriesPatch[] = [];
	for (const revision of found.reverse()) {
		if (revision.commit.parents.length > 1) continue;
		const changes = firstParentChanges(repository, revision, pathspec, options);
		if (changes.length === 0 && !pathspec.isEmpty) continue;
		const head = headText(binaryText(encode(formatCommit(repository, revision, format))));
		const diff = changes.map((change) => changeText(git, change, shown)).join('\n');
		const text = diff === '' ? head : `${head}\n${diff}`;
		const size = diff.split('\n').filter((line) => line !== '').length;
		patches.push({ revision, text, diff: diff === '' ? text : diff, size });
	}
	return patches;
}

/** Text before the changes, from log output: author, message and notes, each under a heading. */
function headText(log: string): string {
	let text = '';
	for (const line of log.split('\n')) {
		const notes = /^(Notes.*):$/.exec(line)?.[1];
		if (line.startsWith('Author: ')) text += ` ## Metadata ##\n${line}\n\n ## Commit message ##\n`;
		else if (notes !== undefined) text += `\n\n ## ${notes} ##\n`;
		else if (line.startsWith('    ')) text += `${line.trimEnd()}\n`;
	}
	return text;
}

/** Changes of a file under a heading with its name, without positions and ids. */
function changeText(git: Invocation, change: Change, format: DiffFormat): string {
	const { before, after, status } = change;
	const [old, now] = [before, after].map((side) => nameText(side?.path ?? ''));
	const name = !before ? `${now} (new)` : !after ? `${old} (deleted)` : status === 'R' ? `${old} => ${now}` : now!;
	const file = after ? now! : old!;
	const modes =
		before && after && before.mode !== after.mode
			? ` (mode change ${modeText(before.mode)} => ${modeText(after.mode)})`
			: '';
	let text = ` ## ${name}${modes} ##\n`;
	for (const line of filePatchLines(git.repository, change, format)) {
		if (line.kind === 'hunk') text += `@@${line.heading === '' ? '' : ` ${file}: ${line.heading}`}\n`;
		else if (line.kind === 'raw') text += line.text.replace(/^(?=[^\n])/gm, ' ').replace(/\n+(?=\n)/g, '');
		else if (line.kind === 'no newline') text += ' \\ No newline at end of file\n';
		else if (line.kind !== 'meta') text += SIGNS[line.kind] + line.text.replace(/\n?$/, '\n');
	}
	return text;
}

const SIGNS = { old: '-', new: '+', context: ' ' };
