import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import type { Repository } from '../repository.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import { changedFile } from '../worktree/file-state.ts';
import { stageFile } from '../worktree/staging.ts';
import { modulesFile, modulesOf } from './modules.ts';

const FILE = '.gitmodules';

/** Writes a setting of a submodule to `.gitmodules`. @param value null removes it */
export function setModule({ config, root }: Repository, name: string, field: string, value: string | null): void {
	config.set(modulesFile({ root }), `submodule.${name}.${field}`, value);
}

/** Stages `.gitmodules` as it is. */
export function stageModules(repository: Repository): void {
	const stat = lstatOrNull(repository, modulesFile(repository));
	if (stat?.kind === 'file') stageFile(repository, FILE, stat);
}

/** @throws GitError if `.gitmodules` has unstaged changes, which would be staged too */
export function requireStagedModules(repository: Repository): void {
	const { index } = repository;
	if (index.unmerged().includes(FILE)) throw fatal('Cannot change unmerged .gitmodules, resolve merge conflicts first');
	const entry = index.get(FILE);
	const stat = lstatOrNull(repository, modulesFile(repository));
	if (entry && stat && changedFile(repository, entry, stat) !== null)
		throw fatal('please stage your changes to .gitmodules or stash them to proceed');
}

/** @throws GitError if `.gitmodules` is staged but missing in the working tree, so that it cannot be written */
export function requireWritableModules(repository: Repository): void {
	if (repository.index.has(FILE) && !lstatOrNull(repository, modulesFile(repository)))
		throw fatal('please make sure that the .gitmodules file is in the working tree');
}

/** Removes a submodule from `.gitmodules`. Returns false if none has that path. */
export function forgetModule(git: Invocation, path: string): boolean {
	const { repository } = git;
	if (!lstatOrNull(repository, modulesFile(repository))) return false;
	const module = modulesOf(repository).get(path);
	if (!module) {
		git.err(`warning: Could not find section in .gitmodules where path=${path}\n`);
		return false;
	}
	repository.config.removeSection(modulesFile(repository), `submodule.${module.name}`);
	return true;
}

/** Changes the path of a submodule in `.gitmodules`. Returns false if none has the old path. */
export function moveModule(git: Invocation, from: string, to: string): boolean {
	const { repository } = git;
	if (!lstatOrNull(repository, modulesFile(repository))) return false;
	const module = modulesOf(repository).get(from);
	if (!module) {
		git.err(`warning: Could not find section in .gitmodules where path=${from}\n`);
		return false;
	}
	setModule(repository, module.name, 'path', to);
	return true;
}
