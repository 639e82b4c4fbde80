import { encode } from '../bytes.ts';
import { treeToIndex } from '../diff/sides.ts';
import { cleanMessage } from '../history/commit-message.ts';
import type { Invocation } from '../invocation.ts';
import { applyMerged } from '../merge/apply.ts';
import { conflictNote } from '../merge/merge-outcome.ts';
import { mergeTrees, type Conflict, type Merged } from '../merge/merge-trees.ts';
import { strategyOptions } from '../merge/strategy.ts';
import { serializeCommit, subjectOf, type Signature } from '../objects/commit.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import type { Repository } from '../repository.ts';
import { GitError } from '../errors.ts';

/** Label of the base when a mail is merged. */
export const FAKE_BASE = 'constructed merge base';

/** Commit whose change is applied, or reverted, on top of the index. */
export interface Replay {
	id: string;
	/** Parent that the change is compared with. */
	parent: string | null;
	/** Reverts the change. */
	backwards: boolean;
	/** Strategy options as given. */
	strategyOptions?: readonly string[] | undefined;
	/** Set for a mail, which is named by its subject alone. */
	isMail?: boolean;
}

/**
 * Merges a commit's change into `ours` (a tree) and the working tree.
 * @param quiet suppresses messages about successful merges
 */
export function replayChange(
	git: Invocation,
	ours: string,
	{ id, parent, backwards, strategyOptions: given, isMail }: Replay,
	quiet = false
): Merged {
	const { repository } = git;
	const commit = repository.commit(id);
	const before = parent === null ? EMPTY_TREE : repository.commit(parent).tree;
	const subject = subjectOf(commit.message);
	const name = isMail ? subject : `${repository.objects.abbreviate(id)} (${subject})`;
	const nameBefore = isMail ? FAKE_BASE : parent === null ? '(empty tree)' : `parent of ${name}`;
	const [theirs, base] = backwards ? [nameBefore, name] : [name, nameBefore];
	const labels = {
		ours: 'HEAD',
		theirs,
		base,
		options: strategyOptions(given),
		ignoresDirectoryRenames: isMail ?? false
	};
	const trees = backwards ? { base: commit.tree, ours, theirs: before } : { base: before, ours, theirs: commit.tree };
	const merged = mergeTrees(git, trees, labels);
	applyMerged(git, ours, merged, quiet);
	return merged;
}

/** Commits the index on HEAD. Returns the commit's id; null if nothing changed and `evenEmpty` is not set. */
export function commitIndex(
	repository: Repository,
	what: { message: string; author: Signature; reason: string; evenEmpty: boolean; isRoot?: boolean }
): string | null {
	const { index, objects, refs } = repository;
	const tree = index.writeTree((content) => objects.write('tree', content));
	index.save();
	const head = repository.head();
	if (!what.evenEmpty && tree === (head === null ? EMPTY_TREE : repository.commit(head).tree)) return null;
	const { author, message } = what;
	const parents = head === null || what.isRoot ? [] : [head];
	const made = { tree, parents, author, committer: repository.committer(), message };
	const id = objects.write('commit', serializeCommit(made));
	refs.update('HEAD', id, what.reason);
	return id;
}

/** Stores the message for the commit once the conflicts are resolved. */
export function noteConflicts(
	repository: Repository,
	message: string,
	conflicts: readonly Conflict[],
	cleanup?: string
): void {
	const paths = [...new Set(conflicts.map(({ path }) => path))];
	repository.files.writeFile(
		`${repository.gitDir}/MERGE_MSG`,
		encode(`${cleanMessage(message)}${conflictNote(repository, paths, cleanup)}`)
	);
}

/** @throws GitError if the index differs from HEAD */
export function requireCleanIndex(repository: Repository, tree: string, action: string): void {
	if (repository.index.unmerged().length > 0) {
		const what = action === 'revert' ? 'Reverting' : 'Cherry-picking';
		throw new GitError(
			`error: ${what} is not possible because you have unmerged files.\n` +
				"hint: Fix them up in the work tree, and then use 'git add/rm <file>'\n" +
				`hint: as appropriate to mark resolution and make a commit.\nfatal: ${action} failed`,
			128
		);
	}
	if (treeToIndex(repository, tree).length === 0) return;
	throw new GitError(
		`error: your local changes would be overwritten by ${action}.\nhint: commit your changes or stash them to proceed.\nfatal: ${action} failed`,
		128
	);
}

/** Removes files in `.git` left by a merge, a pick or a revert. */
export function forget(repository: Repository, ...names: string[]): void {
	for (const name of names) {
		repository.files.remove(`${repository.gitDir}/${name}`, { recursive: true, force: true });
	}
}
