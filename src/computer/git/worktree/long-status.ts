import type { Change } from '../diff/change.ts';
import { pathOf } from '../diff/change.ts';
import { isObjectId } from '../objects/object-id.ts';
import { quotePath } from '../quote-path.ts';
import { detachedFrom } from '../refs/detached-head.ts';
import { trackingSentence } from '../refs/tracking.ts';
import type { Repository } from '../repository.ts';
import { rebaseDirectory } from '../sequence/rebase-state.ts';
import { amStatus, rebaseStatus } from '../sequence/rebase-status.ts';
import { pickStatus } from '../sequence/pick-state.ts';
import { booleanOf, integerOf } from '../config/values.ts';
import type { Status } from './status.ts';
import { ignoredByConfig, stateNote, submoduleSummary, type IgnoredState } from './submodules.ts';

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

/** Options for the long status, such as when `git commit` shows it. */
export interface LongStatusHow {
	isCommit?: boolean;
	/** Closing text instead of the default one. */
	closing?: string | undefined;
	/** Shows how many commits a branch is ahead or behind. */
	counted?: boolean;
	/** Shows the number of stashes. */
	showsStash?: boolean;
	/** Commit that staged changes are relative to, if not HEAD. */
	source?: string | undefined;
	/** State of submodules to ignore. */
	ignoredState?: IgnoredState | undefined;
}

/**
 * Long format of `git status`.
 * @param untracked mode; `no` has its own message
 */
export function longStatus(
	repository: Repository,
	found: Status,
	untracked: 'no' | 'normal' | 'all',
	how: LongStatusHow = {}
): string {
	const { refs } = repository;
	const initial = repository.head() === null;
	const merging = repository.note('MERGE_HEAD') !== null;
	const first = initial ? `\n${how.isCommit ? 'Initial commit' : 'No commits yet'}\n\n` : '';
	const text = heading(repository, found, { merging, counted: how.counted }) + first + lists(repository, found, how);
	const stashes = how.showsStash ? refs.reflog('refs/stash').length : 0;
	const stashed = stashes === 0 ? '' : `Your stash currently has ${stashes} ${stashes === 1 ? 'entry' : 'entries'}\n`;
	const all = text + (how.closing ?? closingLines(found, untracked, merging, initial)) + stashed;
	return repository.config.flag('advice.statushints', true) ? all : withoutHints(all);
}

/** Position of HEAD, and operations in progress. */
function heading(
	repository: Repository,
	found: Status,
	{ merging, counted }: { merging: boolean; counted: boolean | undefined }
): string {
	const branch = repository.refs.currentBranch();
	const hasConflicts = found.unmerged.length > 0;
	const rebasing = rebaseStatus(repository, hasConflicts, found.unstaged.length > 0);
	const head = rebasing !== '' ? '' : branch === null ? detachedLine(repository) : `On branch ${branch}\n`;
	const isBorn = repository.head() !== null;
	const tracking = branch === null || !isBorn ? '' : trackingSentence(repository, branch, counted);
	const doing = merging
		? hasConflicts
			? 'You have unmerged paths.\n  (fix conflicts and run "git commit")\n  (use "git merge --abort" to abort the merge)\n\n'
			: 'All conflicts fixed but you are still merging.\n  (use "git commit" to conclude merge)\n\n'
		: amStatus(repository) || pickStatus(repository, hasConflicts);
	const bisecting = repository.note('BISECT_START')?.trim();
	const text = `${head}${tracking === '' ? '' : `${tracking}\n`}${rebasing}${rebasing === '' || merging ? doing : ''}`;
	if (bisecting === undefined) return text + sparseSentence(repository);
	const from = isObjectId(bisecting) ? repository.objects.abbreviate(bisecting) : bisecting;
	return `${text}You are currently bisecting, started from branch '${from}'.\n  (use "git bisect reset" to get back to the original branch)\n\n${sparseSentence(repository)}`;
}

/** Describes how many of the tracked files are checked out; empty without a sparse checkout. */
function sparseSentence({ sparse, index }: Repository): string {
	const entries = index.entries();
	if (!sparse.isActive || entries.length === 0) return '';
	const left = entries.filter(({ skipWorktree }) => skipWorktree).length;
	const percent = 100 - Math.floor((100 * left) / entries.length);
	return `You are in a sparse checkout with ${percent}% of tracked files present.\n\n`;
}

/** Lists of paths, with hints on what to do. */
function lists(repository: Repository, found: Status, how: LongStatusHow): string {
	const name = shownName(repository);
	const source = how.source === undefined ? '' : `--source=${how.source} `;
	const unstage =
		repository.head() === null
			? '  (use "git rm --cached <file>..." to unstage)\n'
			: `  (use "git restore ${source}--staged <file>..." to unstage)\n`;
	// During a merge or cherry-pick, git shows no hint to unstage.
	const isBare = ['MERGE_HEAD', 'CHERRY_PICK_HEAD'].some((file) => repository.note(file) !== null);
	const hint = isBare && rebaseDirectory(repository) === null ? '' : unstage;
	const paths = (all: readonly string[]) => `${all.map((path) => `\t${name(path)}\n`).join('')}\n`;
	const label = (change: Change): string => {
		const isPair = change.status === 'R' || change.status === 'C';
		const shown = isPair ? `${name(change.before!.path)} -> ${name(change.after!.path)}` : name(pathOf(change));
		const state = found.submodules.get(pathOf(change));
		const note = state && found.unstaged.includes(change) ? stateNote(state) : '';
		return `\t${`${LABELS[change.status]}:`.padEnd(12)}${shown}${note}\n`;
	};
	let text = '';
	if (found.staged.length > 0) text += `Changes to be committed:\n${hint}${found.staged.map(label).join('')}\n`;
	if (found.unmerged.length > 0) {
		const lines = found.unmerged.map(
			({ path, code }) => `\t${`${CONFLICTS[code] ?? code}:`.padEnd(17)}${name(path)}\n`
		);
		text += `Unmerged paths:\n${hint}${resolutionHint(found)}${lines.join('')}\n`;
	}
	if (found.unstaged.length > 0) {
		const gone = found.unstaged.some((change) => change.status === 'D');
		const isDirty = [...found.submodules.values()].some((state) => state.isModified || state.hasUntracked);
		text += `Changes not staged for commit:\n  (use "git add${gone ? '/rm' : ''} <file>..." to update what will be committed)\n`;
		text += '  (use "git restore <file>..." to discard changes in working directory)\n';
		if (isDirty) text += '  (commit or discard the untracked or modified content in submodules)\n';
		text += `${found.unstaged.map(label).join('')}\n`;
	}
	text += submoduleLists(repository, found, how.ignoredState);
	if (found.untracked.length > 0)
		text += `Untracked files:\n  (use "git add <file>..." to include in what will be committed)\n${paths(found.untracked)}`;
	if (found.ignored.length > 0)
		text += `Ignored files:\n  (use "git add -f <file>..." to include in what will be committed)\n${paths(found.ignored)}`;
	return text;
}

/** Hint on how to resolve conflicts: a path that both sides removed cannot be added. */
function resolutionHint({ unmerged }: Status): string {
	const has = (...codes: string[]) => unmerged.some(({ code }) => codes.includes(code));
	const onlyRemoved = unmerged.every(({ code }) => code === 'DD');
	if (onlyRemoved) return '  (use "git rm <file>..." to mark resolution)\n';
	if (has('DD', 'UD', 'DU')) return '  (use "git add/rm <file>..." as appropriate to mark resolution)\n';
	return '  (use "git add <file>..." to mark resolution)\n';
}

/** Formats paths for a status: relative to the working directory, or to the top if configured. */
export function shownName(repository: Repository): (path: string) => string {
	const isRelative = repository.config.flag('status.relativepaths', true);
	return (path) => quotePath(isRelative ? repository.toCwd(path) : path);
}

/** Commits of changed submodules, if configured. */
function submoduleLists(repository: Repository, found: Status, given: IgnoredState | undefined): string {
	const { config } = repository;
	const set = config.get('status.submodulesummary');
	const most = set === undefined ? 0 : (integerOf(set) ?? (booleanOf(set) ? Number.POSITIVE_INFINITY : 0));
	if (most === 0 || given === 'all') return '';
	const ignored = ignoredByConfig(repository);
	const isShown = (change: Change) => ignored(pathOf(change)) !== 'all';
	const list = (title: string, changes: readonly Change[]): string => {
		const text = submoduleSummary(repository, changes.filter(isShown), most < 0 ? Number.POSITIVE_INFINITY : most);
		return text === '' ? '' : `${title}\n\n${text}`;
	};
	const moved = found.unstaged.filter((change) => found.submodules.get(pathOf(change))?.isMoved === true);
	return list('Submodule changes to be committed:', found.staged) + list('Submodules changed but not updated:', moved);
}

/** Removes the hints about commands to use, both whole lines and ends of lines. */
export const withoutHints = (text: string): string =>
	text.replace(/^  \(.*\)\n/gm, '').replace(/ \((?:use|create) [^)]*\)$/gm, '');

/** Last lines: whether there is anything to commit, and hints for the rest. */
function closingLines(
	found: Status,
	untracked: 'no' | 'normal' | 'all',
	isMerging: boolean,
	isInitial: boolean
): string {
	const isChanged = found.unstaged.length > 0 || found.unmerged.length > 0;
	const unlisted =
		untracked === 'no' && found.staged.length > 0
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
	const from = detachedFrom(repository);
	return from === null
		? 'Not currently on any branch.\n'
		: `HEAD detached ${from.isThere ? 'at' : 'from'} ${from.name}\n`;
}
