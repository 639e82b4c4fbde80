import { dirname } from '#computer/abi/paths.ts';
import { clone } from '../commands/clone.ts';
import { isGitDirectory, withoutPlace } from '../discover.ts';
import { fatal, GitError } from '../errors.ts';
import { Invocation } from '../invocation.ts';
import { NOT_FROM_USER } from '../remote/allowed-transport.ts';
import { absorbDirectory, connectModule, moduleDirectory, requirePlainPlace } from './git-directory.ts';

/** Submodule to clone. */
export interface ModuleSource {
	name: string;
	path: string;
	url: string;
	isQuiet: boolean;
	/** Options for the clone, such as its depth. */
	options: readonly string[];
}

/**
 * Clones the repository of a submodule without a checkout; reuses one that already exists.
 *
 * @throws GitError if it cannot be cloned
 */
export async function cloneModule(git: Invocation, source: ModuleSource): Promise<void> {
	const { repository } = git;
	const { files } = repository;
	const { name, path, url } = source;
	requirePlainPlace(repository, path);
	const gitDir = moduleDirectory(repository, name);
	const worktree = repository.absolute(path);
	if (files.statOrNull(worktree)?.kind === 'directory' && files.readdir(worktree).length > 0)
		throw fatal(`directory not empty: '${worktree}'`);
	if (isGitDirectory({ files }, gitDir)) {
		files.remove(`${gitDir}/index`, { force: true });
		connectModule(repository, path, gitDir);
		return;
	}
	files.mkdir(dirname(worktree), { recursive: true });
	if (!source.isQuiet) git.err(`Cloning into '${worktree}'...\n`);
	const env = { ...withoutPlace(git.env), ...NOT_FROM_USER };
	const nested = new Invocation(git.context, repository.root, git.surroundings.overrides, env);
	try {
		await clone(nested, ['-q', '--no-checkout', ...source.options, '--', url, worktree]);
		nested.flush();
		if (!source.isQuiet && url.startsWith('/')) git.err('done.\n');
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		throw new GitError(`${error.message}\nfatal: clone of '${url}' into submodule path '${worktree}' failed`, 128);
	}
	absorbDirectory(repository, path, name, false);
	// Relative URLs are resolved against this one as written.
	if (url.startsWith('/')) repository.config.set(`${gitDir}/config`, 'remote.origin.url', url);
}
