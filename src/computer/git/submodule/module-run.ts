import { Mode } from '#environment/mode.ts';
import { withoutPlace } from '../discover.ts';
import { GitError } from '../errors.ts';
import { Invocation } from '../invocation.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { modulesOf, type Module } from './modules.ts';

/** Run of `git submodule` in one repository: the outermost, or one of its submodules. */
export interface ModuleRun {
	git: Invocation;
	isQuiet: boolean;
	/** Text in front of paths in a submodule; null in the outermost repository. */
	prefix: string | null;
}

/** Submodule as the index has it. */
export interface StagedModule {
	path: string;
	/** Commit that is staged. */
	id: string;
	isUnmerged: boolean;
	/** Its entry in `.gitmodules`. */
	module: Module | undefined;
}

/** Path of a submodule as it is shown. */
export const shownPath = ({ git, prefix }: ModuleRun, path: string): string =>
	prefix === null ? git.repository.toCwd(path) : prefix + path;

/** Submodules that paths name, or all. @throws GitError for a path that is none of a file */
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

/** The same git in a submodule. */
export function gitInModule(git: Invocation, path: string): Invocation {
	const { surroundings, repository, context } = git;
	git.flush();
	return new Invocation(context, repository.absolute(path), surroundings.overrides, withoutPlace(git.env));
}

/** Run in a submodule of a repository. */
export const nestedRun = (run: ModuleRun, path: string): ModuleRun => ({
	...run,
	git: gitInModule(run.git, path),
	prefix: `${shownPath(run, path)}/`
});

/** Runs a command of git in a submodule. Gives its exit code, also where it fails with a message. */
export async function runInModule(
	git: Invocation,
	path: string,
	command: (git: Invocation, args: string[]) => number | Promise<number>,
	args: string[]
): Promise<number> {
	const nested = gitInModule(git, path);
	try {
		const code = await command(nested, args);
		nested.flush();
		return code;
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		nested.err(`${error.message}\n`);
		return error.code;
	}
}
