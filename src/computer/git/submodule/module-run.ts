import { Mode } from '#environment/mode.ts';
import { withoutPlace } from '../discover.ts';
import { GitError } from '../errors.ts';
import { Invocation } from '../invocation.ts';
import { NOT_FROM_USER } from '../remote/allowed-transport.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { modulesOf, type Module } from './modules.ts';

/** Run of `git submodule` in one repository: the outermost, or one of its submodules. */
export interface ModuleRun {
	git: Invocation;
	isQuiet: boolean;
	/** Prefix of paths in a submodule; null in the outermost repository. */
	prefix: string | null;
}

/** Submodule as recorded in the index. */
export interface StagedModule {
	path: string;
	/** Staged commit. */
	id: string;
	isUnmerged: boolean;
	/** Its entry in `.gitmodules`. */
	module: Module | undefined;
}

/** Path of a submodule for display. */
export const shownPath = ({ git, prefix }: ModuleRun, path: string): string =>
	prefix === null ? git.repository.toCwd(path) : prefix + path;

/** Submodules at the given paths, or all. @throws GitError if a path matches no tracked file */
export function stagedModules({ git }: ModuleRun, given: readonly string[]): StagedModule[] {
	const { repository } = git;
	const pathspec = new Pathspec(repository, given);
	const entries = repository.index.entries();
	const missing = pathspec.unmatched(entries.map(({ path }) => path));
	if (missing !== undefined)
		throw new GitError(`error: pathspec '${missing}' did not match any file(s) known to git`, 1);
	const modules = modulesOf(repository);
	const found = new Map<string, StagedModule>();
	for (const { path, mode, id, stage } of entries) {
		if (mode !== Mode.commit || !pathspec.matches(path) || found.has(path)) continue;
		found.set(path, { path, id, isUnmerged: stage > 0, module: modules.get(path) });
	}
	return [...found.values()];
}

/** Invocation of git in a submodule, with the same options. */
export function gitInModule(git: Invocation, path: string, more: Readonly<Record<string, string>> = {}): Invocation {
	const { surroundings, repository, context } = git;
	git.flush();
	const env = { ...withoutPlace(git.env), ...more };
	return new Invocation(context, repository.absolute(path), surroundings.overrides, env);
}

/** Run in a submodule of a repository. */
export const nestedRun = (run: ModuleRun, path: string): ModuleRun => ({
	...run,
	git: gitInModule(run.git, path),
	prefix: `${shownPath(run, path)}/`
});

/**
 * Runs a git command in a submodule, whose addresses are not the user's. Returns its exit code, even if it fails with
 * an error.
 */
export const runInModule = (
	git: Invocation,
	path: string,
	command: (git: Invocation, args: string[]) => number | Promise<number>,
	args: string[]
): Promise<number> => exitCodeOf(gitInModule(git, path, NOT_FROM_USER), (nested) => command(nested, args));

/** Runs a git command in another repository. Returns its exit code, even if it fails with an error. */
export async function exitCodeOf(
	nested: Invocation,
	command: (git: Invocation) => number | Promise<number>
): Promise<number> {
	try {
		const code = await command(nested);
		nested.flush();
		return code;
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		nested.err(`${error.message}\n`);
		return error.code;
	}
}
