import { absolute, basename, dirname } from '#computer/abi/paths.ts';
import { decode } from './bytes.ts';
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
}

/** Environment without the variables that name a repository, for working on another one. */
export function withoutPlace(env: Record<string, string>): Record<string, string> {
	const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, ...others } = env;
	return others;
}

/** Maximum length of a `.git` file; a longer file is not one. */
const GITFILE_CHARS = 8192;

/** Finds the repository named by `GIT_DIR` or containing the working directory. @throws GitError if there is none */
export function discover(surroundings: Surroundings): RepositoryPlace {
	const { env, cwd } = surroundings;
	const named = env['GIT_DIR'];
	if (named !== undefined) {
		const gitDir = followGitfile(surroundings, absolute(named, cwd));
		if (!isGitDirectory(surroundings, gitDir)) throw fatal(`not a git repository: '${named}'`);
		return placeOf(surroundings, gitDir, cwd);
	}
	const ceilings = (env['GIT_CEILING_DIRECTORIES'] ?? '').split(':').map((path) => real(surroundings, path));
	for (let directory = cwd; ; directory = dirname(directory)) {
		const base = directory === '/' ? '' : directory;
		const gitDir = followGitfile(surroundings, `${base}/.git`);
		if (isGitDirectory(surroundings, gitDir)) return placeOf(surroundings, gitDir, directory);
		if (isGitDirectory(surroundings, directory)) return placeOf(surroundings, directory, null);
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

function placeOf(surroundings: Surroundings, gitDir: string, found: string | null): RepositoryPlace {
	const { env, files, cwd } = surroundings;
	const commonDir = env['GIT_COMMON_DIR'] === undefined ? commonDirOf(surroundings, gitDir) : env['GIT_COMMON_DIR'];
	const path = `${commonDir}/config`;
	const settings = files.statOrNull(path)?.kind === 'file' ? parseConfig(decode(files.readFile(path))) : [];
	const setting = (key: string) => settings.findLast((one) => one.key === key)?.value;
	requireKnownFormat(settings);
	const given = env['GIT_WORK_TREE'];
	if (given !== undefined) return { gitDir, commonDir, worktree: absolute(given, cwd) };
	const configured = setting('core.worktree');
	if (configured !== undefined && commonDir === gitDir)
		return { gitDir, commonDir, worktree: absolute(configured, gitDir) };
	const isBare = setting('core.bare') === 'true' && commonDir === gitDir;
	return { gitDir, commonDir, worktree: isBare ? null : found };
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
