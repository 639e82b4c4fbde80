import { stash } from '../commands/stash.ts';
import type { Invocation } from '../invocation.ts';

/** Stashes what is not committed, for the time of a rebase or a pull. Gives the stash's id; null when all is clean. */
export async function makeAutostash(git: Invocation): Promise<string | null> {
	const { repository } = git;
	const before = repository.refs.resolve('refs/stash');
	await stash(git, ['push', '-q', '-m', 'autostash']);
	const made = repository.refs.resolve('refs/stash');
	if (made === null || made === before) return null;
	git.out(`Created autostash: ${repository.objects.abbreviate(made)}\n`);
	return made;
}

/** Applies it again and drops it; where it conflicts it stays in the list of stashes. */
export function applyAutostash(git: Invocation, id: string | null): void {
	if (id === null || git.repository.refs.resolve('refs/stash') !== id) return;
	const code = stash(git, ['pop', '-q']);
	git.err(
		code === 0
			? 'Applied autostash.\n'
			: 'Applying autostash resulted in conflicts.\nYour changes are safe in the stash.\nYou can run "git stash pop" or "git stash drop" at any time.\n'
	);
}
