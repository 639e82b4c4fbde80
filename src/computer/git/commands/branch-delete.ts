import type { Invocation } from '../invocation.ts';
import { fatal } from '../errors.ts';
import { isAncestor } from '../history/walk.ts';
import { namedBranch, shortOfMarked } from '../refs/branch-name.ts';
import { peel } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { checkedOutAt } from '../worktree/linked.ts';

interface DeleteHow {
	/** Deletes branches that are not merged, too. */
	force: boolean;
	/** Deletes remote-tracking branches. */
	remotes: boolean;
	quiet: boolean;
}

/** Deletes branches and their settings. Returns 1 if a branch was not deleted. */
export function deleteBranches(git: Invocation, names: readonly string[], how: DeleteHow): number {
	const { repository } = git;
	const { refs } = repository;
	if (names.length === 0) throw fatal('branch name required');
	const kind = how.remotes ? 'remote-tracking branch' : 'branch';
	const found: { name: string; full: string; was: string }[] = [];
	for (const given of names) {
		const name = how.remotes
			? (shortOfMarked(repository, given, 'refs/remotes/') ?? given)
			: namedBranch(repository, given);
		const full = `refs/${how.remotes ? 'remotes' : 'heads'}/${name}`;
		const place = how.remotes ? null : checkedOutAt(repository, full);
		const target = refs.symbolic(full);
		const id = refs.resolve(full);
		if (place !== null) git.err(`error: Cannot delete branch '${name}' checked out at '${place}'\n`);
		else if (target === null && id === null) git.err(`error: ${kind} '${name}' not found.\n`);
		else if (target === null && !how.force && !how.remotes && !isKept(git, name, id!)) continue;
		else found.push({ name, full, was: target ?? repository.objects.abbreviate(id!) });
	}
	for (const { name, full, was } of found) {
		refs.delete(full);
		repository.config.removeSection(`${repository.commonDir}/config`, `branch.${name}`);
		if (!how.quiet) git.out(`Deleted ${kind} ${name} (was ${was}).\n`);
	}
	return found.length === names.length ? 0 : 1;
}

/** Returns whether a branch is merged to its upstream (or HEAD if it has none); reports it if not. */
function isKept(git: Invocation, name: string, id: string): boolean {
	const { repository } = git;
	if (peel(repository, id, 'commit') === null) {
		git.err(`error: Couldn't look up commit object for 'refs/heads/${name}'\n`);
		return false;
	}
	const head = repository.head();
	const base = followedTip(repository, name) ?? head;
	const isMerged = base !== null && isAncestor(repository, id, base);
	const isInHead = head !== null && (head === base ? isMerged : isAncestor(repository, id, head));
	if (isMerged !== isInHead) {
		git.err(
			isMerged
				? `warning: deleting branch '${name}' that has been merged to\n         '${repository.upstream(name)}', but not yet merged to HEAD.\n`
				: `warning: not deleting branch '${name}' that is not yet merged to\n         '${repository.upstream(name)}', even though it is merged to HEAD.\n`
		);
	}
	if (!isMerged)
		git.err(
			`error: The branch '${name}' is not fully merged.\nIf you are sure you want to delete it, run 'git branch -D ${name}'.\n`
		);
	return isMerged;
}

function followedTip(repository: Repository, name: string): string | null {
	const upstream = repository.upstream(name);
	return upstream === null ? null : repository.refs.resolve(upstream);
}
