import { encode } from '../bytes.ts';
import { booleanOf } from '../config/values.ts';
import { isGitDirectory } from '../discover.ts';
import { headTree, treeToIndex } from '../diff/sides.ts';
import { fatal, GitError } from '../errors.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import type { Options } from '../options.ts';
import type { Repository } from '../repository.ts';
import { findInTree } from '../worktree/tree-files.ts';
import type { ModuleFollower } from '../worktree/module-follower.ts';
import { planSwitch, switchTree } from '../worktree/switch-tree.ts';
import { scanRepository } from '../worktree/scan.ts';
import { absorbDirectory, connectModule, moduleDirectory, requirePlainPlace } from './git-directory.ts';
import { isActive, modulesIn, modulesOf, type Module } from './modules.ts';

/** Moves active submodules as the index and working tree of their superproject move. */
export class FollowedModules implements ModuleFollower {
	readonly #before: ReadonlyMap<string, Module>;
	readonly #after: ReadonlyMap<string, Module>;

	/**
	 * @param tree to which the superproject moves
	 * @param isForced overwrites changes in submodules
	 * @param prefix of paths in messages, for a repository that is a submodule itself
	 */
	constructor(
		private readonly repository: Repository,
		private readonly tree: string,
		private readonly isForced: boolean,
		private readonly prefix = ''
	) {
		this.#before = modulesOf(repository);
		this.#after = modulesIn(repository, tree);
	}

	canMove(path: string, to: string | null): boolean {
		const module = this.#followed(path, to);
		if (!module) return true;
		try {
			this.#requireMovable(module, to);
			return true;
		} catch (error) {
			if (!(error instanceof GitError)) throw error;
			this.#say(`${error.message}\nerror: Submodule '${path}' could not be updated.\n`);
			return false;
		}
	}

	move(path: string, to: string | null): boolean {
		const module = this.#followed(path, to);
		if (!module) return false;
		if (to === null) this.#remove(module);
		else this.#place(module, to);
		return true;
	}

	/** Submodule that follows; null for one that is not active, or not checked out and to be removed. */
	#followed(path: string, to: string | null): Module | null {
		const { repository } = this;
		const module = (to === null ? this.#before : this.#after).get(path);
		if (!module || !isActive(repository, module)) return null;
		requirePlainPlace(repository, path);
		return to === null && !this.#nested(module) ? null : module;
	}

	/** Repository of a submodule in its working tree; null if it is not checked out. */
	#nested({ path }: Module): Repository | null {
		try {
			return this.repository.nested(path);
		} catch (error) {
			// A broken link to the git directory is mended if changes do not count.
			if (this.isForced && error instanceof GitError) return null;
			throw error;
		}
	}

	/** @throws GitError if a submodule has changes that would be lost, or lacks the commit */
	#requireMovable(module: Module, to: string | null): void {
		const { repository } = this;
		const nested = this.#nested(module);
		if (!nested) {
			const gitDir = moduleDirectory(repository, module.name);
			if (!isGitDirectory(repository, gitDir)) throw fatal(`not a git repository: ${gitDir}`);
			const bare = repository.another(gitDir);
			if (to !== null && bare) requireCommit(bare, to);
			return;
		}
		if (to !== null) requireCommit(nested, to);
		if (this.isForced) return;
		if (treeToIndex(nested, headTree(nested)).length > 0)
			throw new GitError(`error: submodule '${module.path}' has dirty index`, 1);
		if (to === null && findInTree(repository.objects, this.tree, module.path))
			requireNothingUntracked(nested, module.path);
		const tree = to === null ? EMPTY_TREE : nested.commit(to).tree;
		// A submodule to remove must have the commit that the superproject records.
		const recorded = to === null ? repository.index.get(module.path)?.id : undefined;
		if (recorded !== undefined) requireCommit(nested, recorded);
		const from = recorded === undefined ? headTree(nested) : nested.commit(recorded).tree;
		planSwitch(nested, from, tree, this.#how(nested, tree, module));
	}

	#how(nested: Repository, tree: string, { path }: Module) {
		const target = this.prefix + path;
		const modules = new FollowedModules(nested, tree, this.isForced, `${target}/`);
		return { force: this.isForced, verb: 'module' as const, target, modules };
	}

	/** Checks out a submodule at a commit, without a branch. */
	#place(module: Module, to: string): void {
		const { repository } = this;
		const populated = this.#nested(module);
		const gitDir = moduleDirectory(repository, module.name);
		if (populated) absorbDirectory(repository, module.path, module.name, true);
		if (isGitDirectory(repository, gitDir) && (!populated || this.isForced))
			connectModule(repository, module.path, gitDir);
		const nested = repository.nested(module.path);
		if (!nested) throw fatal(`not a git repository: ${gitDir}`);
		if (!populated) nested.index.replace([]);
		const { tree } = nested.commit(to);
		const from = populated ? treeOfHead(nested) : EMPTY_TREE;
		switchTree(nested, from, tree, this.#how(nested, tree, module));
		nested.index.save();
		if (nested.head() !== to || nested.refs.currentBranch() !== null) nested.refs.moveHead({ id: to }, '');
	}

	/** Removes the working tree of a submodule; its git directory stays in the superproject. */
	#remove(module: Module): void {
		const { repository } = this;
		const { files, config } = repository;
		absorbDirectory(repository, module.path, module.name, true);
		const nested = this.#nested(module);
		if (!nested) return;
		switchTree(nested, treeOfHead(nested), EMPTY_TREE, this.#how(nested, EMPTY_TREE, module));
		nested.index.save();
		const directory = repository.absolute(module.path);
		files.remove(`${directory}/.git`, { force: true });
		if (files.readdir(directory).length === 0) files.rmdir(directory);
		else this.#say(`warning: unable to rmdir '${module.path}': Directory not empty\n`);
		config.set(`${nested.gitDir}/config`, 'core.worktree', null);
	}

	#say(text: string): void {
		this.repository.files.write(2, encode(text));
	}
}

/** Tree of HEAD; the empty tree if its commit is missing. */
function treeOfHead(nested: Repository): string {
	const head = nested.head();
	return head === null || nested.objects.find(head)?.type !== 'commit' ? EMPTY_TREE : nested.commit(head).tree;
}

function requireCommit({ objects }: Repository, id: string): void {
	if (objects.find(id)?.type !== 'commit') throw fatal(`failed to unpack tree object ${id}`);
}

/** @throws GitError if a submodule, which files of the superproject replace, has untracked files */
function requireNothingUntracked(nested: Repository, path: string): void {
	const lost = [...scanRepository(nested).visible].some((name) => !nested.index.has(name));
	if (lost) throw new GitError(`error: Updating '${path}' would lose untracked files in it`, 1);
}

/** Option of commands that move the working tree. */
export const FOLLOW_OPTION = { submodules: '--recurse-submodules ? !' };

/** Returns whether submodules follow, by the option or the setting. @throws GitError if its value is invalid */
export function followsModules({ config }: Repository, options: Options<keyof typeof FOLLOW_OPTION>): boolean {
	if (!options.has('submodules')) return !options.isTakenBack('submodules') && config.flag('submodule.recurse', false);
	const text = options.get('submodules') ?? '';
	const isWanted = text === '' ? true : booleanOf(text);
	if (isWanted === null) throw fatal(`bad recurse-submodules argument: ${text}`);
	return isWanted;
}
