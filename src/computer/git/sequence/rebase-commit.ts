import { commitSummary } from '../commands/commit-summary.ts';
import { chosenEditor, editFile } from '../editor.ts';
import { cleanMessage } from '../history/commit-message.ts';
import type { Invocation } from '../invocation.ts';
import { serializeCommit, subjectOf } from '../objects/commit.ts';
import { forget } from './replay.ts';

const MESSAGES = 'rebase-merge/message-squash';

/** Replaces HEAD's commit by one with the index's files and another message. */
export function amendHead(git: Invocation, message: string, reason: string, isReported = true): void {
	const { repository } = git;
	const { index, objects, refs } = repository;
	const head = repository.head();
	if (head === null) return;
	const old = repository.commit(head);
	const tree = index.writeTree((content) => objects.write('tree', content));
	index.save();
	const made = { ...old, tree, message, committer: repository.committer() };
	const id = objects.write('commit', serializeCommit(made));
	refs.update('HEAD', id, `rebase (${reason}): ${subjectOf(message)}`);
	if (isReported) git.out(commitSummary(repository, id, made, { dateShown: true }));
}

/** Lets the editor, if there is one, change the message of HEAD. */
export function rewordHead(git: Invocation): void {
	const head = git.repository.head();
	if (head === null) return;
	const { message } = git.repository.commit(head);
	const editor = chosenEditor(git);
	const text = editor === null ? message : editFile(git, editor, 'COMMIT_EDITMSG', message);
	amendHead(git, cleanMessage(text, true), 'reword');
}

/**
 * Melts what the index has into HEAD. The messages that are to be one are collected until the last.
 * @param more whether another one of these follows
 */
export function meltIntoHead(git: Invocation, id: string, action: 'squash' | 'fixup', more: boolean): void {
	const { repository } = git;
	const head = repository.head();
	if (head === null) return;
	const { message: before } = repository.commit(head);
	const added = repository.commit(id).message;
	const collected = repository.note(MESSAGES) ?? before;
	const keeps = action === 'fixup';
	const own = added.replace(/^squash! .*\n?/, '');
	const joined = keeps ? collected : `${collected.trimEnd()}\n\n${own}`;
	const edited = !keeps || repository.note(`${MESSAGES}-edited`) !== null;
	if (more) {
		repository.files.mkdir(`${repository.gitDir}/rebase-merge`, { recursive: true });
		repository.files.writeFile(`${repository.gitDir}/${MESSAGES}`, new TextEncoder().encode(joined));
		if (edited) repository.files.writeFile(`${repository.gitDir}/${MESSAGES}-edited`, new Uint8Array(0));
		amendHead(git, cleanMessage(joined), action, false);
		return;
	}
	forget(repository, MESSAGES, `${MESSAGES}-edited`);
	const editor = edited ? chosenEditor(git) : null;
	const text = editor === null ? joined : editFile(git, editor, 'COMMIT_EDITMSG', joined);
	amendHead(git, cleanMessage(text, true), action);
}
