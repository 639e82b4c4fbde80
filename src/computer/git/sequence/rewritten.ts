import { encode } from '../bytes.ts';
import { runHook } from '../hooks.ts';
import type { Invocation } from '../invocation.ts';
import { copyRewrittenNotes, type Rewritten } from '../notes/rewrite-notes.ts';
import type { Repository } from '../repository.ts';

/** Files of rewritten commits: old and new ids, and old ids whose new commit is not finished. */
const FILES = { list: 'rebase-merge/rewritten-list', pending: 'rebase-merge/rewritten-pending' };

/** Records that a commit was rewritten. @param isOpen whether more commits will be squashed into the new one */
export function rewritten(repository: Repository, id: string, isOpen: boolean): void {
	const { files, gitDir } = repository;
	files.appendFile(`${gitDir}/${FILES.pending}`, encode(`${id}\n`));
	if (!isOpen) settle(repository);
}

/** Records the current HEAD as the replacement of pending commits. */
function settle(repository: Repository): void {
	const { files, gitDir } = repository;
	const pending = (repository.note(FILES.pending) ?? '').split('\n').filter((line) => line !== '');
	if (pending.length === 0) return;
	const head = repository.head() ?? '';
	files.appendFile(`${gitDir}/${FILES.list}`, encode(pending.map((id) => `${id} ${head}\n`).join('')));
	files.remove(`${gitDir}/${FILES.pending}`, { force: true });
}

/** Copies notes to the rewritten commits, and runs the `post-rewrite` hook with their list. */
export function rewrittenAll(git: Invocation): void {
	const { repository } = git;
	settle(repository);
	const list = repository.note(FILES.list) ?? '';
	if (list === '') return;
	const pairs = list
		.trimEnd()
		.split('\n')
		.map((line): Rewritten => [line.slice(0, 40), line.slice(41, 81)]);
	copyRewrittenNotes(repository, 'rebase', pairs, "Notes added by 'git notes copy'");
	runHook(git, 'post-rewrite', ['rebase'], `${repository.gitDir}/${FILES.list}`);
}
