import type { Change } from '../diff/change.ts';
import { pathOf } from '../diff/change.ts';
import { quotePath } from '../quote-path.ts';
import { expandRef } from '../refs/named-ref.ts';
import { trackingSentence } from '../refs/tracking.ts';
import type { Repository } from '../repository.ts';
import { rebaseStatus } from '../sequence/rebase-state.ts';
import { pickStatus } from '../sequence/pick-state.ts';
import type { Status } from './status.ts';

const LABELS: Record<Change['status'], string> = {
	A: 'new file',
	D: 'deleted',
	M: 'modified',
	T: 'typechange',
	R: 'renamed',
	C: 'copied',
	U: 'unmerged'
};

const CONFLICTS: Record<string, string> = {
	DD: 'both deleted',
	AU: 'added by us',
	UD: 'deleted by them',
	UA: 'added by them',
	DU: 'deleted by us',
	AA: 'both added',
	UU: 'both modified'
};

/** Differences where a commit shows its status. */
export interface LongStatusHow {
	isCommit?: boolean;
	/** The end in place of the usual one, which says what to do. */
	closing?: string | undefined;
}

/**
 * `git status` in words.
 * @param untracked the mode, since `no` has a sentence of its own
 */
export function longStatus(
	repository: Repository,
	found: Status,
	untracked: 'no' | 'normal' | 'all',
	how: LongStatusHow = {}
): string {
	const { refs } = repository;
	const initial = repository.head() === null;
	const branch = refs.currentBranch();
	const name = (path: string) => quotePath(repository.toCwd(path));
	const rebasing = rebaseStatus(repository, found.unmerged.length > 0);
	let text = rebasing !== '' ? '' : branch === null ? detachedLine(repository) : `On branch ${branch}\n`;
	const tracking = branch === null || initial ? '' : trackingSentence(repository, branch);
	if (tracking !== '') text += `${tracking}\n`;
	const merging = repository.note('MERGE_HEAD') !== null;
	text += rebasing !== '' ? rebasing : merging ? '' : pickStatus(repository, found.unmerged.length > 0);
	if (merging) {
		text +=
			found.unmerged.length > 0
				? 'You have unmerged paths.\n  (fix conflicts and run "git commit")\n  (use "git merge --abort" to abort the merge)\n\n'
				: 'All conflicts fixed but you are still merging.\n  (use "git commit" to conclude merge)\n\n';
	}
	const bisecting = repository.note('BISECT_START')?.trim();
	if (bisecting !== undefined) {
		const from = /^[0-9a-f]{40}$/.test(bisecting) ? repository.objects.abbreviate(bisecting) : bisecting;
		text += `You are currently bisecting, started from branch '${from}'.\n  (use "git bisect reset" to get back to the original branch)\n\n`;
	}
	// While something is being merged in, git does not offer to unstage.
	const bare = merging || (rebasing === '' && repository.note('CHERRY_PICK_HEAD') !== null);
	if (initial) text += `\n${how.isCommit ? 'Initial commit' : 'No commits yet'}\n\n`;
	const unstage = initial
		? '  (use "git rm --cached <file>..." to unstage)\n'
		: '  (use "git restore --staged <file>..." to unstage)\n';
	const label = (change: Change): string => {
		const shown =
			change.status === 'R' ? `${name(change.before!.path)} -> ${name(change.after!.path)}` : name(pathOf(change));
		return `\t${`${LABELS[change.status]}:`.padEnd(12)}${shown}\n`;
	};
	if (found.staged.length > 0)
		text += `Changes to be committed:\n${bare ? '' : unstage}${found.staged.map(label).join('')}\n`;
	if (found.unmerged.length > 0) {
		const gone = found.unmerged.some(({ code }) => code.includes('D'));
		text += `Unmerged paths:\n${bare ? '' : unstage}  (use "git add${gone ? '/rm' : ''} <file>..."${gone ? ' as appropriate' : ''} to mark resolution)\n`;
		text += found.unmerged
			.map(({ path, code }) => `\t${`${CONFLICTS[code] ?? code}:`.padEnd(17)}${name(path)}\n`)
			.join('');
		text += '\n';
	}
	if (found.unstaged.length > 0) {
		const gone = found.unstaged.some((change) => change.status === 'D');
		text += `Changes not staged for commit:\n  (use "git add${gone ? '/rm' : ''} <file>..." to update what will be committed)\n`;
		text += `  (use "git restore <file>..." to discard changes in working directory)\n${found.unstaged.map(label).join('')}\n`;
	}
	if (found.untracked.length > 0) {
		text += 'Untracked files:\n  (use "git add <file>..." to include in what will be committed)\n';
		text += `${found.untracked.map((path) => `\t${name(path)}\n`).join('')}\n`;
	}
	if (found.ignored.length > 0) {
		text += 'Ignored files:\n  (use "git add -f <file>..." to include in what will be committed)\n';
		text += `${found.ignored.map((path) => `\t${name(path)}\n`).join('')}\n`;
	}
	const all = text + (how.closing ?? closingLines(found, untracked, merging, initial));
	return repository.config.flag('advice.statushints', true) ? all : withoutHints(all);
}

/** A status without the lines, and ends of lines, that say which command to use. */
export const withoutHints = (text: string): string =>
	text.replace(/^  \(.*\)\n/gm, '').replace(/ \((?:use|create) [^)]*\)$/gm, '');

/** Last lines, which say what a commit would take and what to do about the rest. */
function closingLines(
	found: Status,
	untracked: 'no' | 'normal' | 'all',
	isMerging: boolean,
	isInitial: boolean
): string {
	const isChanged = found.unstaged.length > 0 || found.unmerged.length > 0;
	const unlisted =
		untracked === 'no' && (isChanged || found.staged.length > 0)
			? 'Untracked files not listed (use -u option to show untracked files)\n'
			: '';
	if (found.staged.length > 0 || (isMerging && !isChanged)) return unlisted;
	if (isChanged) return `${unlisted}no changes added to commit (use "git add" and/or "git commit -a")\n`;
	if (found.untracked.length > 0)
		return 'nothing added to commit but untracked files present (use "git add" to track)\n';
	if (isInitial) return 'nothing to commit (create/copy files and use "git add" to track)\n';
	if (untracked === 'no') return 'nothing to commit (use -u to show untracked files)\n';
	return 'nothing to commit, working tree clean\n';
}

function detachedLine(repository: Repository): string {
	const head = repository.head() ?? '';
	const last = repository.refs.reflog('HEAD').find(({ message }) => message.startsWith('checkout: moving'));
	const to = last ? (/ to (\S+)$/.exec(last.message)?.[1] ?? '') : '';
	const id = last?.to ?? head;
	const shown =
		to !== '' && expandRef(repository, to) !== null && to !== 'HEAD' ? to : repository.objects.abbreviate(id);
	return `HEAD detached ${id === head ? 'at' : 'from'} ${shown}\n`;
}
