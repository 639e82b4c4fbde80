import { fatal, GitError } from '../errors.ts';
import { pathOf } from '../diff/change.ts';
import { headTree, indexToWorktree, treeToIndex } from '../diff/sides.ts';
import type { Invocation } from '../invocation.ts';
import { findStart, walkHistory } from '../history/walk.ts';
import { checkOutMerging } from '../merge/check-out-merging.ts';
import type { ConflictStyle } from '../merge/merge-text.ts';
import { subjectOf } from '../objects/commit.ts';
import { runHook } from '../hooks.ts';
import { EMPTY_TREE, NULL_ID } from '../objects/object.ts';
import { resolveCommit } from '../refs/revision.ts';
import { checkName, namedBranch } from '../refs/branch-name.ts';
import { remoteBranch } from '../refs/remote-branch.ts';
import { trackingSentence } from '../refs/tracking.ts';
import type { Tracks } from '../refs/track-branch.ts';
import { forgetUnderWay } from '../sequence/pick-state.ts';
import { FollowedModules } from '../submodule/follow-modules.ts';
import { switchTree } from '../worktree/switch-tree.ts';
import { refuseTaken } from '../worktree/linked.ts';
import type { Repository } from '../repository.ts';
import { createBranch } from './branch.ts';

/** Options for moving HEAD to another branch or commit. */
export interface Moving {
	/** Discards local changes. */
	force: boolean;
	quiet: boolean;
	/** Merges local changes into the new tree, with conflicts in this style; null: does not merge. */
	merge: ConflictStyle | null;
	/** Active submodules move along. */
	withModules?: boolean;
}

/** Creates a branch from the remote-tracking branch of the same name. Returns false if there is none. */
export function guessRemote(git: Invocation, name: string): boolean {
	const start = remoteBranch(git.repository, name);
	if (start === null) return false;
	createBranch(git, name, start, { tracks: 'direct' });
	return true;
}

/** Returns whether nothing was ever checked out, so that there is no index. */
export const isUnwritten = ({ files, indexPath }: Repository): boolean => files.statOrNull(indexPath) === null;

/** Updates the index and worktree to a tree. @throws GitError if paths are unmerged, unless forced */
export function move(git: Invocation, tree: string, { force, merge, withModules }: Moving, name: string): void {
	const unmerged = force ? [] : git.repository.index.unmerged();
	if (unmerged.length > 0) {
		git.out(unmerged.map((path) => `${path}: needs merge\n`).join(''));
		throw new GitError('error: you need to resolve your current index first', 1);
	}
	try {
		const isFirst = isUnwritten(git.repository);
		const modules = withModules ? new FollowedModules(git.repository, tree, force) : null;
		switchTree(git.repository, isFirst ? EMPTY_TREE : headTree(git.repository), tree, { force, modules });
	} catch (error) {
		if (merge === null || !(error instanceof GitError)) throw error;
		const from = git.repository.refs.currentBranch() ?? git.repository.objects.abbreviate(git.repository.head() ?? '');
		checkOutMerging(git, tree, { to: name, from, style: merge });
	}
	git.repository.index.save();
}

/** Runs the hook `post-checkout`. Returns the exit code. @param isSwitch false if only files were checked out */
export function afterCheckout(git: Invocation, before: string | null, isSwitch = true): number {
	const after = git.repository.head();
	return runHook(git, 'post-checkout', [before ?? NULL_ID, after ?? NULL_ID, isSwitch ? '1' : '0']) ? 0 : 1;
}

export function toBranch(git: Invocation, name: string, how: Moving): number {
	const { repository } = git;
	const before = repository.head();
	const id = resolveCommit(repository, `refs/heads/${name}`);
	const already = repository.refs.currentBranch() === name;
	if (!already) refuseTaken(repository, name);
	move(git, repository.commit(id).tree, how, name);
	const left = already ? '' : leaving(git, id);
	const from = whereNow(git);
	repository.refs.moveHead({ branch: name }, `checkout: moving from ${from} to ${name}`);
	forgetUnderWay(repository);
	if (how.quiet) return afterCheckout(git, before);
	if (!how.force) showLocalChanges(git);
	git.err(`${left}${already ? 'Already on' : 'Switched to branch'} '${name}'\n`);
	git.out(trackingSentence(repository, name));
	return afterCheckout(git, before);
}

export function newBranch(
	git: Invocation,
	given: string,
	start: string,
	how: Moving & { reset: boolean; tracks: Tracks; logs?: boolean }
): number {
	const { repository } = git;
	const before = repository.head();
	const name = namedBranch(repository, given);
	const existed = repository.refs.resolve(`refs/heads/${name}`) !== null;
	const stays = repository.refs.currentBranch() === name;
	const from = whereNow(git);
	if (start === 'HEAD' && repository.head() === null) {
		checkName(name);
		repository.refs.setSymbolic('HEAD', `refs/heads/${name}`);
	} else {
		if (existed && !how.reset) throw fatal(`a branch named '${name}' already exists`);
		const id = findStart(repository, start) ?? resolveCommit(repository, start);
		// A new branch at HEAD changes no files, so unmerged paths are allowed.
		if (start !== 'HEAD' || how.force || isUnwritten(repository)) move(git, repository.commit(id).tree, how, start);
		const { reset, quiet, tracks, logs } = how;
		createBranch(git, name, start, { force: reset, quiet, tracks, logs, movesHead: true });
		repository.refs.moveHead({ branch: name }, `checkout: moving from ${from} to ${name}`);
		forgetUnderWay(repository);
	}
	if (!how.quiet)
		git.err(
			`${stays ? 'Reset branch' : existed ? 'Switched to and reset branch' : 'Switched to a new branch'} '${name}'\n`
		);
	return afterCheckout(git, before);
}

export function detach(git: Invocation, target: string, how: Moving, adviceDeclined = false): number {
	const { repository } = git;
	const id = findStart(repository, target);
	if (id === null) throw fatal(`reference is not a tree: ${target}`);
	const before = repository.head();
	const attached = repository.refs.currentBranch() !== null;
	const from = whereNow(git);
	const left = leaving(git, id);
	move(git, repository.commit(id).tree, how, target);
	repository.refs.moveHead({ id }, `checkout: moving from ${from} to ${target}`);
	forgetUnderWay(repository);
	if (how.quiet) return afterCheckout(git, before);
	if (!how.force) showLocalChanges(git);
	const at = `HEAD is now at ${repository.objects.abbreviate(id)} ${subjectOf(repository.commit(id).message)}\n`;
	const isAdvised = attached && !adviceDeclined && repository.config.flag('advice.detachedhead', true);
	git.err(`${left}${isAdvised ? `Note: switching to '${target}'.\n\n${ADVICE}` : ''}${at}`);
	return afterCheckout(git, before);
}

const ADVICE = `You are in 'detached HEAD' state. You can look around, make experimental
changes and commit them, and you can discard any commits you make in this
state without impacting any branches by switching back to a branch.

If you want to create a new branch to retain commits you create, you may
do so (now or later) by using -c with the switch command. Example:

  git switch -c <new-branch-name>

Or undo this operation with:

  git switch -

Turn off this advice by setting config variable advice.detachedHead to false

`;

/** Options of a branch without commits. */
interface OrphanStart {
	/** Commit whose files are checked out; if absent, the current files stay. */
	start?: string | undefined;
	/** Creates a reflog regardless of settings. */
	logs?: boolean;
}

export function orphan(git: Invocation, name: string, how: Moving, { start, logs }: OrphanStart = {}): number {
	const { repository } = git;
	const { refs } = repository;
	const before = repository.head();
	checkName(name);
	if (refs.resolve(`refs/heads/${name}`) !== null) throw fatal(`a branch named '${name}' already exists`);
	if (start !== undefined) {
		const id = findStart(repository, start) ?? resolveCommit(repository, start);
		move(git, repository.commit(id).tree, how, start);
	}
	refs.setSymbolic('HEAD', `refs/heads/${name}`);
	if (logs) refs.startReflog(`refs/heads/${name}`);
	forgetUnderWay(repository);
	if (!how.quiet) git.err(`Switched to a new branch '${name}'\n`);
	return afterCheckout(git, before);
}

/** `switch --orphan`: switches to a branch without commits and tracked files. */
export function emptyBranch(git: Invocation, name: string, how: Moving): number {
	const { repository } = git;
	checkName(name);
	if (repository.refs.resolve(`refs/heads/${name}`) !== null) throw fatal(`a branch named '${name}' already exists`);
	move(git, EMPTY_TREE, how, name);
	return orphan(git, name, how);
}

const whereNow = (git: Invocation) => git.repository.refs.currentBranch() ?? git.repository.head() ?? 'HEAD';

/** Message about leaving a detached HEAD: its previous commit, or a warning about commits that no ref contains. */
function leaving(git: Invocation, next: string): string {
	const { repository } = git;
	const { refs, objects } = repository;
	const head = repository.head();
	if (refs.currentBranch() !== null || head === null || head === next) return '';
	const describe = (id: string) => `${objects.abbreviate(id)} ${subjectOf(repository.commit(id).message)}\n`;
	const kept = refs.list('refs/').map(({ id }) => repository.peeled(id));
	const isCommit = (id: string) => objects.find(id)?.type === 'commit';
	const lost = [...walkHistory(repository, { include: [head], exclude: [next, ...kept.filter(isCommit)] })];
	if (lost.length === 0) return `Previous HEAD position was ${describe(head)}`;
	const shown = lost.length === ORPHANS_SHOWN + 1 ? lost : lost.slice(0, ORPHANS_SHOWN);
	const list = shown.map(({ id }) => `  ${describe(id)}`).join('');
	const more = lost.length > shown.length ? ` ... and ${lost.length - shown.length} more.\n` : '';
	const [commits, them] = lost.length === 1 ? ['commit', 'it'] : ['commits', 'them'];
	const warning = `Warning: you are leaving ${lost.length} ${commits} behind, not connected to\nany of your branches:\n\n${list}${more}\n`;
	if (!repository.config.flag('advice.detachedhead', true)) return warning;
	return `${warning}If you want to keep ${them} by creating a new branch, this may be a good time\nto do so with:\n\n git branch <new-branch-name> ${objects.abbreviate(head)}\n\n`;
}

/** Maximum number of commits listed when they are left behind. */
const ORPHANS_SHOWN = 4;

/** Lists local changes that were kept, one line per file. */
function showLocalChanges(git: Invocation): void {
	const { repository } = git;
	const head = headTree(repository);
	const lines = new Map<string, string>();
	for (const change of indexToWorktree(repository))
		lines.set(pathOf(change), change.status === 'U' ? 'M' : change.status);
	for (const change of treeToIndex(repository, head))
		if (change.status !== 'U' && lines.get(pathOf(change)) !== 'D') lines.set(pathOf(change), change.status);
	for (const [path, status] of [...lines].sort(([a], [b]) => (a < b ? -1 : 1))) git.out(`${status}\t${path}\n`);
	repository.index.save();
}
