import { binaryBytes } from '../diff/lines.ts';
import { NO_DIFF } from '../diff/format.ts';
import { printChanges } from '../diff/print.ts';
import { decode } from '../bytes.ts';
import { type Cleanup, SCISSORS } from '../history/commit-message.ts';
import { formatDate } from '../history/dates.ts';
import type { Signature } from '../objects/commit.ts';
import type { Repository } from '../repository.ts';
import { longStatus, withoutHints } from '../worktree/long-status.ts';
import type { Status } from '../worktree/status.ts';

/** Commit that the comments in an editor describe. */
export interface Explained {
	status: Status;
	untracked: 'no' | 'normal' | 'all';
	author: Signature;
	committer: Signature;
	/** The author date was given instead of taken from the clock. */
	isDated: boolean;
	isMerge: boolean;
	/** Text after the lists of paths. */
	closing: string;
	/** An empty message is allowed. */
	mayBeEmpty: boolean;
	/** The status is shown. */
	isShown: boolean;
	/** Shows the staged changes below a scissors line. */
	isVerbose: boolean;
}

/** Comments below a message in the editor: instructions, author and committer, and the status. */
export function commitNotes(repository: Repository, commit: Explained, mode: Cleanup, mark: string): string {
	const { untracked, closing } = commit;
	const whole = longStatus(repository, commit.status, untracked, { isCommit: true, closing });
	const unlisted = untracked === 'no' && !whole.includes('\nUntracked files not listed');
	const status = commit.isShown
		? `${introduction(commit, mode, mark)}\n${people(commit)}${withoutHints(whole)}${unlisted ? 'Untracked files not listed\n' : ''}`
		: null;
	const patch = commit.isVerbose
		? decode(binaryBytes(printChanges(repository, commit.status.staged, { ...NO_DIFF, patch: true })))
		: '';
	const cut = `${SCISSORS}\nDo not modify or remove the line above.\nEverything below it will be ignored.\n`;
	const isCut = mode === 'scissors';
	const lines = status === null ? '' : `\n${isCut ? commented(cut, mark) : ''}${commented(status, mark)}`;
	return lines + (commit.isVerbose ? `${isCut ? '' : commented(cut, mark)}${patch}` : '');
}

function commented(text: string, mark: string): string {
	const lines = text.replace(/\n$/, '').split('\n');
	return lines.map((line) => (/^$|^\t/.test(line) ? `${mark}${line}\n` : `${mark} ${line}\n`)).join('');
}

function introduction({ isMerge, mayBeEmpty }: Explained, mode: Cleanup, mark: string): string {
	const merging = isMerge
		? '\nIt looks like you may be committing a merge.\nIf this is not correct, please run\n\tgit update-ref -d MERGE_HEAD\nand try again.\n\n'
		: '';
	const start = 'Please enter the commit message for your changes. Lines starting\n';
	if (mode === 'strip' || mode === 'default')
		return `${merging}${start}with '${mark}' will be ignored${mayBeEmpty ? '' : ', and an empty message aborts the commit'}.\n`;
	if (mode === 'scissors') return merging;
	return `${merging}${start}with '${mark}' will be kept; you may remove them yourself if you want to.\n${mayBeEmpty ? '' : 'An empty message aborts the commit.\n'}`;
}

function people({ author, committer, isDated }: Explained): string {
	const isOther = author.name !== committer.name || author.email !== committer.email;
	const lines = [
		...(isOther ? [`Author:    ${author.name} <${author.email}>\n`] : []),
		...(isDated ? [`Date:      ${formatDate(author, 'default', 0)}\n`] : [])
	];
	return lines.length > 0 ? `${lines.join('')}\n` : '';
}
