import { fatal, GitError } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { checkName, namedBranch } from '../refs/branch-name.ts';
import type { Repository } from '../repository.ts';
import { checkedOutAt, linkedTrees } from '../worktree/linked.ts';

/**
 * Renames or copies a branch with its reflog and settings.
 *
 * @param names old and new name, or only the new name for the current branch
 * @param isCopy whether the old branch is kept
 * @param force whether an existing branch of the new name is replaced
 */
export function moveBranch(git: Invocation, names: readonly string[], isCopy: boolean, force: boolean): number {
	const { repository } = git;
	const { refs, config } = repository;
	const current = refs.currentBranch();
	const [from, to] = names.length > 1 ? [namedBranch(repository, names[0]!), names[1]!] : [current, names[0]];
	if (from === null) throw fatal(`cannot ${isCopy ? 'copy' : 'rename'} the current branch while not on any.`);
	if (to === undefined) throw fatal('branch name required');
	if (names.length > 2) throw fatal(`too many arguments for a ${isCopy ? 'copy' : 'rename'} operation`);
	const [source, target] = [`refs/heads/${from}`, `refs/heads/${to}`];
	checkName(to);
	if (from !== to) requireFree(repository, to, force);
	const isBorn = refs.resolve(source) !== null;
	if (!isBorn && (from !== current || isCopy)) throw fatal(`no branch named '${from}'`);
	if (!isBorn) {
		refs.setSymbolic('HEAD', target);
		return 0;
	}
	if (from === to) return 0;
	checkMovable(repository, source, target, isCopy);
	if (isCopy) refs.copy(source, target, `Branch: copied ${source} to ${target}`);
	else {
		refs.rename(source, target, `Branch: renamed ${source} to ${target}`);
		for (const tree of linkedTrees(repository))
			if (tree.branch === source && tree.gitDir !== repository.gitDir)
				repository.files.writeFile(`${tree.gitDir}/HEAD`, new TextEncoder().encode(`ref: ${target}\n`));
	}
	const path = `${repository.commonDir}/config`;
	if (isCopy) config.copySection(path, `branch.${from}`, `branch.${to}`);
	else config.moveSection(path, `branch.${from}`, `branch.${to}`);
	return 0;
}

/** @throws GitError if the branch is a symbolic ref or its reflog a symlink, or if the new name conflicts with a ref */
function checkMovable({ refs }: Repository, source: string, target: string, isCopy: boolean): void {
	const failed = `fatal: Branch ${isCopy ? 'copy' : 'rename'} failed`;
	const verb = isCopy ? 'copying' : 'renaming';
	if (refs.isLogLinked(source)) throw new GitError(`error: reflog for ${source} is a symlink\n${failed}`, 128);
	if (refs.symbolic(source) !== null)
		throw new GitError(`error: refname ${source} is a symbolic ref, ${verb} it is not supported\n${failed}`, 128);
	const conflict = refs.conflictOf(target, isCopy ? null : source);
	if (conflict !== null) throw new GitError(`error: '${conflict}' exists; cannot create '${target}'\n${failed}`, 128);
}

/** @throws GitError if the branch exists, unless it may be replaced (`force`) and is not checked out anywhere */
export function requireFree(repository: Repository, name: string, force: boolean): void {
	if (repository.refs.resolve(`refs/heads/${name}`) === null) return;
	if (!force) throw fatal(`a branch named '${name}' already exists`);
	const place = checkedOutAt(repository, `refs/heads/${name}`);
	if (place !== null) throw fatal(`cannot force update the branch '${name}' checked out at '${place}'`);
}
