import { decode } from '../bytes.ts';
import { basename, dirname } from '#computer/abi/paths.ts';
import { fatal } from '../errors.ts';
import { isObjectId } from '../objects/object-id.ts';
import { missingAsNull } from '../objects/store.ts';
import type { Repository } from '../repository.ts';

/** Worktree of a repository. */
export interface LinkedTree {
	/** Top directory; for a bare repository, the repository itself. */
	path: string;
	gitDir: string;
	/** Id of HEAD; null before the first commit. */
	head: string | null;
	/** Full name of the branch; null for a detached HEAD. */
	branch: string | null;
	isBare: boolean;
	/** Reason of the lock, which prevents removal; null if it is not locked. */
	locked: string | null;
	/** Set if the directory no longer exists. */
	isGone: boolean;
}

/** All working trees of a repository, the main one first. */
export function linkedTrees(repository: Repository): LinkedTree[] {
	const { files, commonDir } = repository;
	const isBare = repository.config.flag('core.bare', false);
	const main: LinkedTree = {
		path: isBare || basename(commonDir) !== '.git' ? commonDir : dirname(commonDir),
		gitDir: commonDir,
		...headOf(repository, commonDir),
		...{ isBare, locked: null, isGone: false }
	};
	if (files.statOrNull(`${commonDir}/worktrees`)?.kind !== 'directory') return [main];
	const others = files
		.readdir(`${commonDir}/worktrees`)
		.map(({ name }) => linkedTree(repository, `${commonDir}/worktrees/${name}`));
	return [main, ...others.filter((tree) => tree !== null).sort((a, b) => (a.path < b.path ? -1 : 1))];
}

function linkedTree(repository: Repository, gitDir: string): LinkedTree | null {
	const { files } = repository;
	const read = (name: string) =>
		files.statOrNull(`${gitDir}/${name}`) ? decode(files.readFile(`${gitDir}/${name}`)).trim() : null;
	const link = read('gitdir');
	if (link === null) return null;
	return {
		path: dirname(link),
		gitDir,
		...headOf(repository, gitDir),
		isBare: false,
		locked: read('locked'),
		isGone: files.statOrNull(link) === null
	};
}

function headOf({ files, refs }: Repository, gitDir: string): Pick<LinkedTree, 'head' | 'branch'> {
	const path = `${gitDir}/HEAD`;
	const link = isLink(files, path) ? `ref: ${files.readlink(path)}` : null;
	const text = link ?? (files.statOrNull(path) ? decode(files.readFile(path)).trim() : '');
	if (!text.startsWith('ref: ')) return { head: isObjectId(text) ? text : null, branch: null };
	const branch = text.slice(5);
	return { head: refs.resolve(branch), branch };
}

/** Path of the working tree that has a branch checked out, or is rebasing or bisecting it; null if there is none. */
export function checkedOutAt(repository: Repository, ref: string): string | null {
	const has = (tree: LinkedTree) =>
		(tree.branch === ref && !tree.isBare) || heldBranches(repository, tree).includes(ref);
	return linkedTrees(repository).find(has)?.path ?? null;
}

/** Checks whether a path is a symbolic link, as HEAD was in old versions of git. */
function isLink(files: Repository['files'], path: string): boolean {
	return missingAsNull(() => files.lstat(path))?.kind === 'symlink';
}

/** Branches that a rebase or bisection in a working tree will return to. */
function heldBranches({ files }: Repository, { gitDir }: LinkedTree): string[] {
	const line = (name: string) =>
		decode(missingAsNull(() => files.readFile(`${gitDir}/${name}`)) ?? new Uint8Array(0)).trim();
	const search = line('BISECT_START');
	return [
		line('rebase-merge/head-name'),
		line('rebase-apply/head-name'),
		...(search === '' ? [] : [`refs/heads/${search}`])
	];
}

/** Another working tree that has a branch checked out, if there is one. */
function treeWithBranch(repository: Repository, branch: string): LinkedTree | undefined {
	return linkedTrees(repository).find(
		(tree) =>
			(tree.branch === branch || heldBranches(repository, tree).includes(branch)) &&
			tree.gitDir !== repository.gitDir &&
			!tree.isBare
	);
}

/** @throws GitError if another working tree has the branch checked out: a commit here would move it there too */
export function refuseTaken(repository: Repository, name: string): void {
	const other = treeWithBranch(repository, `refs/heads/${name}`);
	if (other) throw fatal(`'${name}' is already checked out at '${other.path}'`);
}
