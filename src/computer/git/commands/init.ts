import { absolute, basename, dirname } from '#computer/abi/paths.ts';
import { isSyscallError } from '#computer/abi/client.ts';
import { encode } from '../bytes.ts';
import { type Config, userSettings } from '../config/config.ts';
import { commonDirOf, followGitfile, isGitDirectory } from '../discover.ts';
import { fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { createGitDirectory, parseShared } from '../new-repository.ts';
import { type Options, parseOptions } from '../options.ts';
import { isBranchName } from '../refs/ref-format.ts';

const OPTIONS = {
	quiet: '-q --quiet',
	bare: '--bare',
	branch: '-b --initial-branch =',
	template: '--template =',
	shared: '--shared ?',
	separate: '--separate-git-dir =',
	format: '--object-format ='
};
const USAGE =
	'init [-q | --quiet] [--bare] [--template=<template-directory>] [--separate-git-dir <git-dir>] ' +
	'[--object-format=<format>] [-b <branch-name> | --initial-branch=<branch-name>] [--shared[=<permissions>]] [<directory>]';

/** Paths of a new repository. */
interface Place {
	gitDir: string;
	bare: boolean;
	/** Value of `core.worktree`, unless the worktree is the directory that contains the repository. */
	worktree: string | undefined;
}

export const init: Command = (git, args) => {
	const options = parseOptions(USAGE, args, OPTIONS);
	const operands = [...options.operands, ...(options.paths ?? [])];
	if (operands.length > 1) throw new GitError('usage: git init [<options>] [<directory>]', 129);
	const { files, env } = git.surroundings;
	const config = userSettings(git.surroundings);
	if (options.has('bare') && options.has('separate'))
		throw fatal("options '--separate-git-dir' and '--bare' cannot be used together");
	checkFormat(options.get('format') ?? env['GIT_DEFAULT_HASH']);
	const root = absolute(operands[0] ?? '.', git.cwd);
	makeDirectory(git, root, operands[0] ?? '.');
	const place = placeOf(git, options, root, operands.length > 0);
	if (options.has('separate')) {
		if (place.bare) throw fatal('--separate-git-dir incompatible with bare repository');
		place.gitDir = separate(git, place.gitDir, absolute(options.get('separate')!, git.cwd));
	} else place.gitDir = followGitfile(git.surroundings, place.gitDir);
	const existed = isGitDirectory({ files }, place.gitDir);
	const branch = options.get('branch');
	if (existed && branch !== undefined) git.err(`warning: re-init: ignored --initial-branch=${branch}\n`);
	createGitDirectory(files, existed ? commonDirOf({ files }, place.gitDir) : place.gitDir, {
		branch: existed ? 'main' : initialBranch(branch, env, config),
		bare: place.bare,
		worktree: place.worktree,
		template: templateOf(git, options.get('template'), config),
		shared: parseShared(options.has('shared') ? options.get('shared')! : config.get('core.sharedrepository'))
	});
	if (!options.has('quiet')) {
		const shared = options.has('shared') ? 'shared ' : '';
		git.out(
			`${existed ? 'Reinitialized existing' : 'Initialized empty'} ${shared}Git repository in ${place.gitDir}/\n`
		);
	}
	return 0;
};

/** @throws GitError for an unsupported hash algorithm */
function checkFormat(format: string | undefined): void {
	if (format === undefined || format === 'sha1') return;
	throw fatal(format === 'sha256' ? 'objects here are named by SHA-1 only' : `unknown hash algorithm '${format}'`);
}

function makeDirectory({ surroundings: { files } }: Invocation, root: string, shown: string): void {
	try {
		files.mkdir(root, { recursive: true });
	} catch (error) {
		if (!isSyscallError(error)) throw error;
		const why = { EEXIST: 'File exists', ENOTDIR: 'Not a directory', EACCES: 'Permission denied' }[error.code];
		throw fatal(`cannot mkdir ${shown}: ${why ?? error.message}`);
	}
}

/** @param isNamed whether the command line names a directory, which for a bare repository overrides `GIT_DIR` */
function placeOf(git: Invocation, options: Options<keyof typeof OPTIONS>, root: string, isNamed: boolean): Place {
	const { env } = git;
	// `git --bare` has set `GIT_DIR` to the working directory, which does not apply if a directory is named.
	const isBare = options.has('bare') || git.isBareAsked;
	const named = isBare && isNamed ? undefined : env['GIT_DIR'];
	const given = env['GIT_WORK_TREE'];
	if (given !== undefined && (isBare || named === undefined))
		throw fatal(
			'GIT_WORK_TREE (or --work-tree=<directory>) not allowed without specifying GIT_DIR (or --git-dir=<directory>)'
		);
	if (isBare) return { gitDir: named === undefined ? root : absolute(named, git.cwd), bare: true, worktree: undefined };
	const gitDir = absolute(named ?? '.git', root);
	if (given !== undefined) {
		const worktree = absolute(given, git.cwd);
		const isUsual = basename(gitDir) === '.git' && dirname(gitDir) === worktree;
		return { gitDir, bare: false, worktree: isUsual ? undefined : worktree };
	}
	const isInside = named !== undefined && !git.surroundings.files.statOrNull(`${gitDir}/commondir`);
	return { gitDir, bare: isInside && basename(gitDir) !== '.git', worktree: undefined };
}

/** Moves an existing repository to `target`, and writes a `.git` file that points to it. Returns its directory. */
function separate(git: Invocation, link: string, target: string): string {
	const { files } = git.surroundings;
	const place = files.statOrNull(link) ? files.realpath(link) : link;
	const before = files.statOrNull(place)?.kind === 'file' ? followGitfile(git.surroundings, place) : place;
	if (isGitDirectory({ files }, before)) {
		const main = commonDirOf({ files }, before);
		if (main !== before && basename(main) !== '.git')
			throw fatal('--separate-git-dir incompatible with bare repository');
		if (main !== target) {
			files.rename(main, target);
			redirectWorktrees(git, main, target);
		}
		if (main !== before) {
			files.writeFile(main, encode(`gitdir: ${target}\n`));
			return `${target}${before.slice(main.length)}`;
		}
	}
	files.writeFile(place, encode(`gitdir: ${target}\n`));
	return target;
}

/** Updates the `.git` files of linked worktrees after their repository has moved. */
function redirectWorktrees({ surroundings: { files } }: Invocation, from: string, to: string): void {
	if (files.statOrNull(`${to}/worktrees`)?.kind !== 'directory') return;
	for (const { name } of files.readdir(`${to}/worktrees`)) {
		const note = files.statOrNull(`${to}/worktrees/${name}/gitdir`);
		if (!note) continue;
		const file = new TextDecoder().decode(files.readFile(`${to}/worktrees/${name}/gitdir`)).trimEnd();
		const isOwn = files.statOrNull(file)?.kind === 'file';
		if (isOwn && from !== to) files.writeFile(file, encode(`gitdir: ${to}/worktrees/${name}\n`));
	}
}

/** @throws GitError if the branch name is invalid */
export function initialBranch(given: string | undefined, env: Record<string, string>, config: Config): string {
	if (given !== undefined && !isBranchName(given)) throw fatal(`invalid initial branch name: '${given}'`);
	// git's own tests set this variable; if it is empty, it is ignored.
	const wanted = given ?? (env['GIT_TEST_DEFAULT_INITIAL_BRANCH_NAME'] || config.get('init.defaultbranch'));
	if (wanted !== undefined && !isBranchName(wanted)) throw fatal(`invalid branch name: init.defaultBranch = ${wanted}`);
	return wanted ?? 'main';
}

/** Template directory of a new repository: '' for none, undefined for the built-in template. */
export function templateOf(git: Invocation, given: string | undefined, config: Config): string | undefined {
	const { files, env } = git.surroundings;
	const set = given ?? env['GIT_TEMPLATE_DIR'] ?? config.get('init.templatedir');
	if (set === undefined || set === '') return set;
	const path = absolute(set.replace(/^~(?=\/|$)/, env['HOME'] ?? '~'), git.cwd);
	let kind: string | undefined;
	try {
		kind = files.statOrNull(path)?.kind;
	} catch (error) {
		if (!isSyscallError(error)) throw error;
	}
	if (kind === 'directory') return path;
	git.err(`warning: templates not found in ${set}\n`);
	return '';
}
