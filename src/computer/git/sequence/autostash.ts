import { encode } from '../bytes.ts';
import { GitError } from '../errors.ts';
import { headTree } from '../diff/sides.ts';
import type { Invocation } from '../invocation.ts';
import { forget } from './replay.ts';
import { switchTree } from '../worktree/switch-tree.ts';
import { applyStash } from '../stash/apply-stash.ts';
import { createStash } from '../stash/create-stash.ts';
import { storeStash } from '../stash/stash-list.ts';

/** Stashes uncommitted changes for the duration of a command. Returns the stash's id; null if nothing was changed. */
export function makeAutostash(git: Invocation, note: string): string | null {
	const { repository } = git;
	const made = createStash(git, { message: 'autostash' });
	if (made === null) return null;
	repository.files.mkdir(`${repository.gitDir}/${note}`.replace(/\/[^/]*$/, ''), { recursive: true });
	repository.files.writeFile(`${repository.gitDir}/${note}`, encode(`${made.id}\n`));
	git.out(`Created autostash: ${repository.objects.abbreviate(made.id)}\n`);
	switchTree(repository, headTree(repository), headTree(repository), { force: true });
	repository.index.save();
	return made.id;
}

/** Applies the autostash; if it conflicts, adds it to the stash list. */
export function applyAutostash(git: Invocation, id: string | null): void {
	if (id === null) return;
	if (isApplied(git, id)) {
		git.err('Applied autostash.\n');
		return;
	}
	keepAutostash(git, id, 'Applying autostash resulted in conflicts.');
}

/** Adds the autostash to the stash list. @param why first line of the message */
export function keepAutostash(git: Invocation, id: string | null, why: string): void {
	if (id === null) return;
	storeStash(git.repository, id, 'autostash');
	git.err(
		`${why}\nYour changes are safe in the stash.\n` + 'You can run "git stash pop" or "git stash drop" at any time.\n'
	);
}

function isApplied(git: Invocation, id: string): boolean {
	try {
		return applyStash(git, id, { restoresIndex: false, isQuiet: true });
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		return false;
	}
}

/** File that names the stash during a merge. */
export const AUTOSTASH = 'MERGE_AUTOSTASH';

/** Ends the autostash of a merge, if there is one. @param use handles the stash */
export function dropAutostash(git: Invocation, use: (id: string) => void): void {
	const { repository } = git;
	const id = repository.note(AUTOSTASH)?.trim();
	if (id === undefined) return;
	forget(repository, AUTOSTASH);
	use(id);
}
