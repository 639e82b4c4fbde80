import { emptyPick } from '../commands/commit-advice.ts';
import { commitSummary } from '../commands/commit-summary.ts';
import { headTree } from '../diff/sides.ts';
import { chosenEditor, editFile } from '../editor.ts';
import { GitError } from '../errors.ts';
import { cleanMessage } from '../history/commit-message.ts';
import { signedOff, withTrailer } from '../history/trailers.ts';
import type { Invocation } from '../invocation.ts';
import { subjectOf } from '../objects/commit.ts';
import type { Repository } from '../repository.ts';
import { switchTree } from '../worktree/switch-tree.ts';
import { longStatus } from '../worktree/long-status.ts';
import { computeStatus } from '../worktree/status.ts';
import { encode } from '../bytes.ts';
import { formatDate } from '../history/dates.ts';
import { endPicks, noteSafety, pickHead, savePicks, type PickHow, type PickState } from './pick-state.ts';
import { rememberResolutions } from '../rerere/rerere.ts';
import { commitIndex, noteConflicts, replayChange, requireCleanIndex } from './replay.ts';

/** Picks commits in sequence. Returns the exit code, nonzero if one of them needs the user. */
export function runPicks(git: Invocation, how: PickHow, state: PickState, several: boolean): number {
	const { repository } = git;
	for (const [i, id] of state.todo.entries()) {
		if (several) savePicks(repository, how, { head: state.head, todo: state.todo.slice(i) });
		const code = pickOne(git, how, id, several);
		noteSafety(repository);
		if (code !== 0) return code;
	}
	if (several) endPicks(repository);
	return 0;
}

function pickOne(git: Invocation, how: PickHow, id: string, several: boolean): number {
	const { repository } = git;
	const { objects, index, refs } = repository;
	const commit = repository.commit(id);
	const parent = chosenParent(repository, how, id);
	if (how.fastForwards && parent === repository.head()) return fastForward(git, id);
	const message = messageFor(repository, how, id, parent);
	const tree = how.noCommit ? index.writeTree((content) => objects.write('tree', content)) : headTree(repository);
	if (!how.noCommit) requireCleanIndex(repository, tree, how.action);
	const { isClean, conflicts } = replayChange(git, tree, {
		id,
		parent,
		backwards: how.action === 'revert',
		strategyOptions: how.strategyOptions
	});
	const short = objects.abbreviate(id);
	const subject = subjectOf(commit.message);
	if (!isClean) {
		// A script that provides its own help also commits in its own way.
		const help = git.env['GIT_CHERRY_PICK_HELP'];
		if (how.action === 'revert' || (!how.noCommit && help === undefined)) refs.note(pickHead(how.action), id);
		noteConflicts(repository, message, conflicts, how.cleanup);
		rememberResolutions(git, how.autoupdate);
		const told = help === undefined ? advice(how) : `${help.replace(/^/gm, 'hint: ')}\n`;
		git.err(`error: could not ${how.action === 'revert' ? 'revert' : 'apply'} ${short}... ${subject}\n${told}`);
		return 1;
	}
	if (how.noCommit) {
		index.save();
		if (how.action === 'revert') {
			refs.note(pickHead(how.action), id);
			repository.files.writeFile(`${repository.gitDir}/MERGE_MSG`, encode(message));
		}
		return 0;
	}
	const author = how.action === 'revert' ? repository.author() : commit.author;
	const said = how.edits ? edited(git, message) : message;
	const made = commitIndex(repository, {
		message: said,
		author,
		reason: `${how.action}: ${subjectOf(said)}`,
		evenEmpty: how.allowEmpty
	});
	if (made === null) {
		if (!several) refs.note(pickHead(how.action), id);
		noteConflicts(repository, message, []);
		git.out(longStatus(repository, computeStatus(repository), 'normal'));
		if (several) refs.note(pickHead(how.action), id);
		if (how.action === 'cherry-pick') git.err(emptyPick(false, several));
		return 1;
	}
	git.out(commitSummary(repository, made, repository.commit(made), { dateShown: true }));
	return 0;
}

/** Fast-forwards HEAD to a commit. */
function fastForward(git: Invocation, id: string): number {
	const { repository } = git;
	switchTree(repository, headTree(repository), repository.commit(id).tree, { verb: 'merge' });
	repository.index.save();
	repository.refs.update('HEAD', id, 'cherry-pick: fast-forward');
	return 0;
}

/** Message after the user edited it, if there is an editor. */
function edited(git: Invocation, message: string): string {
	const editor = chosenEditor(git);
	return editor === null ? message : cleanMessage(editFile(git, editor, 'COMMIT_EDITMSG', message), true);
}

const advice = ({ action, noCommit }: PickHow): string =>
	noCommit
		? "hint: after resolving the conflicts, mark the corrected paths\nhint: with 'git add <paths>' or 'git rm <paths>'\n"
		: 'hint: After resolving the conflicts, mark them with\nhint: "git add/rm <pathspec>", then run\n' +
			`hint: "git ${action} --continue".\nhint: You can instead skip this commit with "git ${action} --skip".\n` +
			`hint: To abort and get back to the state before "git ${action}",\nhint: run "git ${action} --abort".\n`;

function chosenParent(repository: Repository, { action, mainline }: PickHow, id: string): string | null {
	const { parents } = repository.commit(id);
	const failed = (why: string) => new GitError(`error: ${why}\nfatal: ${action} failed`, 128);
	if (parents.length > 1 && mainline === 0) throw failed(`commit ${id} is a merge but no -m option was given.`);
	if (mainline > 1 && mainline > parents.length) throw failed(`commit ${id} does not have parent ${mainline}`);
	return parents[Math.max(0, mainline - 1)] ?? null;
}

function messageFor(repository: Repository, how: PickHow, id: string, parent: string | null): string {
	const commit = repository.commit(id);
	let message = commit.message;
	if (how.action === 'revert') {
		const named = (one: string) => (how.refers ? referenceOf(repository, one) : one);
		const merge = commit.parents.length > 1 ? `, reversing\nchanges made to ${named(parent ?? '')}` : '';
		const title = how.refers ? WHY : `Revert "${subjectOf(message)}"`;
		message = `${title}\n\nThis reverts commit ${named(id)}${merge}.\n`;
	} else if (how.origin) message = withTrailer(message, `(cherry picked from commit ${id})`);
	if (how.signoff) message = signedOff(repository, message);
	return cleanMessage(message);
}

const WHY = '# *** SAY WHY WE ARE REVERTING ON THE TITLE LINE ***';

/** `1a2b3c4 (Subject, 2024-01-31)` */
function referenceOf(repository: Repository, id: string): string {
	const { message, author } = repository.commit(id);
	return `${repository.objects.abbreviate(id)} (${subjectOf(message)}, ${formatDate(author, 'short', 0)})`;
}
