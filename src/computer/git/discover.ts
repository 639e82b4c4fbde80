import { absolute, basename, dirname } from '#computer/abi/paths.ts';
import { decode } from './bytes.ts';
import { booleanOf } from './config/values.ts';
import { parseConfig, type Setting } from './config/config-file.ts';
import { isSyscallError } from '#computer/abi/client.ts';
import { fatal, GitError } from './errors.ts';
import type { Surroundings } from './surroundings.ts';

/** Locations of the parts of a repository. */
export interface RepositoryPlace {
	gitDir: string;
	/** Shared by all working trees of a repository: objects, branches, settings. */
	commonDir: string;
	/** Top of the working tree; null for a bare repository, or inside `.git`. */
	worktree: string | null;
	/** The git directory in its short form: as named, or relative to the directory that git works in. */
	shown: string;
}

/** Environment without the variables that name a repository, for working on another one. */
export function withoutPlace(env: Record<string, string>): Record<string, string> {
	const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, GIT_IMPLICIT_WORK_TREE: ____, ...others } = env;
	return others;
}

/** Maximum length of a `.git` file; a longer file is not one. */
const GITFILE_CHARS = 8192;

/** Finds the repository named by `GIT_DIR` or containing the working directory. @throws GitError if there is none */
export function discover(surroundings: Surroundings): RepositoryPlace {
	const { env, cwd } = surroundings;
	const named = env['GIT_DIR'];
	if (named !== undefined) {
		const given = absolute(named, cwd);
		const gitDir = followGitfile(surroundings, given);
		if (!isGitDirectory(surroundings, gitDir)) throw fatal(`not a git repository: '${named}'`);
		const found = env['GIT_IMPLICIT_WORK_TREE'] === '0' ? null : cwd;
		return placeOf(surroundings, { gitDir, found, named: gitDir === given ? named : gitDir, isGiven: true });
	}
	const ceilings = (env['GIT_CEILING_DIRECTORIES'] ?? '').split(':').map((path) => real(surroundings, path));
	for (let directory = cwd; ; directory = dirname(directory)) {
		const base = directory === '/' ? '' : directory;
		const gitDir = followGitfile(surroundings, `${base}/.git`);
		const isHere = directory === cwd;
		if (isGitDirectory(surroundings, gitDir)) {
			const named = isHere && gitDir === `${base}/.git` ? '.git' : gitDir;
			return placeOf(surroundings, { gitDir, found: directory, named, isGiven: false });
		}
		if (isGitDirectory(surroundings, directory)) {
			const named = isHere ? '.' : directory;
			return placeOf(surroundings, { gitDir: directory, found: null, named, isGiven: false });
		}
		if (directory === '/' || ceilings.includes(real(surroundings, dirname(directory)))) break;
	}
	throw fatal('not a git repository (or any of the parent directories): .git');
}

/** Checks whether a directory is the working tree of a repository; true if its `.git` file cannot be read. */
export function isRepositoryWithTree({ files }: Pick<Surroundings, 'files'>, path: string): boolean {
	const place = `${path}/.git`;
	const stat = files.statOrNull(place);
	if (!stat) return false;
	if (stat.kind === 'directory') return isGitDirectory({ files }, place);
	try {
		return isGitDirectory({ files }, followGitfile({ files }, place));
	} catch (error) {
		if (error instanceof GitError) return false;
		if (isSyscallError(error) && error.code === 'EACCES') return true;
		throw error;
	}
}

/** Checks whether a directory contains a repository's HEAD, objects and refs. */
export function isGitDirectory({ files }: Pick<Surroundings, 'files'>, path: string): boolean {
	const head = files.statOrNull(`${path}/HEAD`);
	if (head ? !isHead(files, `${path}/HEAD`, head.kind) : !isLink(files, `${path}/HEAD`)) return false;
	const common = commonDirOf({ files }, path);
	return ['objects', 'refs'].every((name) => files.statOrNull(`${common}/${name}`)?.kind === 'directory');
}

/** Checks whether a file names a ref or a commit, as HEAD does. */
function isHead(files: Surroundings['files'], path: string, kind: string): boolean {
	return kind === 'file' && /^(?:ref:\s*refs\/|[0-9a-f]{40})/.test(decode(files.readFile(path, 0, 256)));
}

function isLink(files: Surroundings['files'], path: string): boolean {
	const parent = dirname(path);
	if (files.statOrNull(parent)?.kind !== 'directory') return false;
	return files.readdir(parent).some(({ name, kind }) => name === basename(path) && kind === 'symlink');
}

/** Follows a `.git` file to the directory it names (https://git-scm.com/docs/gitrepository-layout). */
export function followGitfile({ files }: Pick<Surroundings, 'files'>, path: string): string {
	const stat = files.statOrNull(path);
	if (stat?.kind !== 'file' || stat.size > GITFILE_CHARS) return path;
	const gitDir = gitfileTarget({ files }, path);
	if (gitDir === null) throw fatal(`invalid gitfile format: ${path}`);
	if (!isGitDirectory({ files }, gitDir)) throw fatal(`not a git repository: ${gitDir}`);
	return gitDir;
}

/** Directory that a `.git` file names; null if the file is in another form. */
export function gitfileTarget({ files }: Pick<Surroundings, 'files'>, path: string): string | null {
	const text = decode(files.readFile(path, 0, GITFILE_CHARS + 1));
	if (text.length > GITFILE_CHARS) return null;
	const target = /^gitdir: (.*?)[\r\n]*$/s.exec(text)?.[1];
	return target === undefined ? null : absolute(target, dirname(path));
}

/** Directory that a linked working tree shares with the others; its own one if none is named. */
export function commonDirOf({ files }: Pick<Surroundings, 'files'>, gitDir: string): string {
	if (files.statOrNull(`${gitDir}/commondir`)?.kind !== 'file') return gitDir;
	return absolute(decode(files.readFile(`${gitDir}/commondir`)).trimEnd(), gitDir);
}

/** Git directory, before its settings and the environment say where its working tree is. */
interface FoundDirectory {
	gitDir: string;
	/** Directory whose `.git` it is; null if started inside of it. */
	found: string | null;
	/** Path of the git directory as given, or as seen from the working directory. */
	named: string;
	/** Set if `GIT_DIR` names it. */
	isGiven: boolean;
}

function placeOf(surroundings: Surroundings, directory: FoundDirectory): RepositoryPlace {
	const { env, files, cwd } = surroundings;
	const { gitDir, found, named, isGiven } = directory;
	const commonDir = env['GIT_COMMON_DIR'] === undefined ? commonDirOf(surroundings, gitDir) : env['GIT_COMMON_DIR'];
	const path = `${commonDir}/config`;
	const settings = files.statOrNull(path)?.kind === 'file' ? parseConfig(decode(files.readFile(path))) : [];
	const setting = (key: string) => settings.findLast((one) => one.key === key)?.value;
	requireKnownFormat(settings);
	// The git directory is shown in full if git has to leave the working directory for the top of the tree.
	const withTree = (worktree: string): RepositoryPlace => {
		const isBelow = cwd !== worktree && cwd.startsWith(worktree === '/' ? '/' : `${worktree}/`);
		return { gitDir, commonDir, worktree, shown: isBelow ? gitDir : named };
	};
	const given = env['GIT_WORK_TREE'];
	if (given !== undefined) return withTree(absolute(given, cwd));
	const configured = commonDir === gitDir ? setting('core.worktree') : undefined;
	if (commonDir === gitDir && booleanOf(setting('core.bare') ?? '') === true) {
		if (configured !== undefined) surroundings.warn('core.bare and core.worktree do not make sense');
		return { gitDir, commonDir, worktree: null, shown: named };
	}
	if (configured !== undefined) return withTree(absolute(configured, gitDir));
	if (found === null) return { gitDir, commonDir, worktree: null, shown: named };
	if (isGiven) return withTree(found);
	return { gitDir, commonDir, worktree: found, shown: gitDir === absolute('.git', found) ? '.git' : gitDir };
}

const READABLE_VERSION = 1;
/** Extensions that every version may have, and those that version 0 must not have. */
const EXTENSIONS = new Set(['noop', 'preciousobjects', 'partialclone', 'worktreeconfig']);
const NEW_EXTENSIONS = new Set(['noop-v1', 'objectformat']);

/** @throws GitError for a repository in a form that is not understood here, and so could be damaged */
function requireKnownFormat(settings: readonly Setting[]): void {
	const version = Number(settings.findLast(({ key }) => key === 'core.repositoryformatversion')?.value ?? 0);
	if (version > READABLE_VERSION) throw fatal(`Expected git repo version <= ${READABLE_VERSION}, found ${version}`);
	const named = settings.flatMap(({ key }) => /^extensions\.(.+)$/s.exec(key)?.[1] ?? []);
	const refused = named.filter((name) =>
		version === 0 ? NEW_EXTENSIONS.has(name) : !EXTENSIONS.has(name) && !NEW_EXTENSIONS.has(name)
	);
	if (refused.length === 0) return;
	const what = version === 0 ? 'repo version is 0, but v1-only extension' : 'unknown repository extension';
	throw fatal(`${what}${refused.length === 1 ? '' : 's'} found:${refused.map((name) => `\n\t${name}`).join('')}`);
}

function real({ files }: Surroundings, path: string): string {
	return path !== '' && files.statOrNull(path) ? files.realpath(path) : path;
}
