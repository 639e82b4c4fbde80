import { rememberResolutions } from '../rerere/rerere.ts';
import { commitNotes } from '../commands/commit-notes.ts';
import { commitSummary } from '../commands/commit-summary.ts';
import { MESSAGE_OPTIONS, newMessage } from '../commands/commit-message.ts';
import { compareTrees } from '../diff/change.ts';
import { findRenames } from '../diff/renames.ts';
import { chosenEditor } from '../editor.ts';
import type { Cleanup } from '../history/commit-message.ts';
import { runHook } from '../hooks.ts';
import type { Invocation } from '../invocation.ts';
import { serializeCommit, subjectOf, type Commit, type Signature } from '../objects/commit.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { parseOptions } from '../options.ts';
import type { Repository } from '../repository.ts';
import { computeStatus } from '../worktree/status.ts';
import type { RebaseState } from './rebase-state.ts';
import { forget } from './replay.ts';

/** Commit of the index, created by a rebase. */
export interface NewCommit {
	message: string;
	author: Signature;
	/** Replaces HEAD. */
	amends?: boolean;
	/** Lets the user edit the message. */
	edits?: boolean;
	/** Runs the `commit-msg` hook. */
	verifies?: boolean;
	cleanup?: Cleanup;
	/** Additional parents. */
	merged?: readonly string[];
	/** Creates the commit without parents. */
	isRoot?: boolean;
	/** Name of the action in the reflog: `pick`. */
	action: string;
}

/** `rebase (pick)`; `GIT_REFLOG_ACTION` replaces the first word. */
export const reflogAction = ({ env }: Pick<Repository, 'env'>, action: string): string =>
	`${env['GIT_REFLOG_ACTION'] ?? 'rebase'} (${action})`;

/** Author that a rebase gives a commit. */
export const keptAuthor = (repository: Repository, state: RebaseState, author: Signature): Signature =>
	state.resetsDate ? { ...repository.now(), name: author.name, email: author.email } : author;

/**
 * Commits the index. Returns the id; null if a hook rejects the commit.
 *
 * @throws GitError if the editor fails or leaves no message
 */
export function commitStep(git: Invocation, state: RebaseState, made: NewCommit): string | null {
	const { repository } = git;
	const { index, objects, refs } = repository;
	const head = repository.head();
	const old = made.amends && head !== null ? repository.commit(head) : null;
	const tree = index.writeTree((content) => objects.write('tree', content));
	index.save();
	const parents = made.isRoot || head === null ? [] : (old?.parents ?? [head]);
	const author = keptAuthor(repository, state, made.author);
	const committer = repository.committer();
	const date = { seconds: author.seconds, offsetMinutes: author.offsetMinutes };
	const who = { author, committer: state.keepsDate ? { ...committer, ...date } : committer };
	const before = parents[0] === undefined ? EMPTY_TREE : repository.commit(parents[0]).tree;
	const message = messageOf(git, made, { ...who, before, tree });
	if (message === null) return null;
	const encoding = old?.encoding === undefined ? {} : { encoding: old.encoding };
	const commit: Commit = { tree, parents: [...parents, ...(made.merged ?? [])], ...who, message, ...encoding };
	const id = objects.write('commit', serializeCommit(commit));
	refs.update('HEAD', id, `${reflogAction(repository, made.action)}: ${subjectOf(message)}`);
	forget(repository, 'CHERRY_PICK_HEAD', 'MERGE_HEAD', 'MERGE_MODE', 'MERGE_MSG', 'SQUASH_MSG', 'AUTO_MERGE');
	rememberResolutions(git, state.autoupdate);
	runHook(git, 'post-commit');
	if (made.edits) git.out(commitSummary(repository, id, commit, { dateShown: made.amends === true }));
	return id;
}

function messageOf(
	git: Invocation,
	made: NewCommit,
	commit: { author: Signature; committer: Signature; before: string; tree: string }
): string | null {
	const { repository } = git;
	const isEdited = made.edits === true;
	const hasEditor = isEdited && chosenEditor(git) !== null;
	const cleanup = isEdited ? (hasEditor ? [] : ['--cleanup=strip']) : [`--cleanup=${made.cleanup ?? 'verbatim'}`];
	// A commit that had no message may stay without one, but an edited message must not be empty.
	const empty = isEdited ? [] : ['--allow-empty-message'];
	const options = parseOptions('commit', [isEdited ? '--edit' : '--no-edit', ...cleanup, ...empty], MESSAGE_OPTIONS);
	const source = made.amends ? ['commit', 'HEAD'] : ['message'];
	return newMessage(
		git,
		options,
		{ text: made.message, source, isEdited },
		{
			verifies: made.verifies === true,
			notes: (mode, mark) => {
				const status = computeStatus(repository, { untracked: 'normal' });
				const staged = findRenames(repository, compareTrees(repository.objects, commit.before, commit.tree));
				const { author, committer } = commit;
				const about = { status: { ...status, staged }, untracked: 'normal' as const, author, committer };
				const rest = { isDated: true, isMerge: false, closing: '', isVerbose: false, mayBeEmpty: false, isShown: true };
				return commitNotes(repository, { ...about, ...rest }, mode, mark);
			}
		}
	);
}
