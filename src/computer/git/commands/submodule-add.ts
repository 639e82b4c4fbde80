import { Mode } from '#environment/mode.ts';
import { fatal, GitError } from '../errors.ts';
import { newEntry } from '../index/index-file.ts';
import type { Invocation } from '../invocation.ts';
import { parseOptions, type Options } from '../options.ts';
import type { Repository } from '../repository.ts';
import { cloneModule } from '../submodule/clone-module.ts';
import { moduleDirectory, requirePlainPlace } from '../submodule/git-directory.ts';
import { requireWritableModules, setModule, stageModules } from '../submodule/gitmodules-edit.ts';
import { isActive, isModuleName, modulesOf, type Module } from '../submodule/modules.ts';
import { runInModule, type ModuleRun } from '../submodule/module-run.ts';
import { moduleUrl } from '../submodule/module-url.ts';
import { requireWorktreePath } from '../worktree/verify-path.ts';
import { add } from './add.ts';
import { checkout } from './checkout.ts';
import { SUBMODULE_USAGE } from './submodule-usage.ts';

const OPTIONS = {
	quiet: '-q --quiet',
	branch: '-b --branch =',
	force: '-f --force',
	name: '--name =',
	depth: '--depth =',
	// Ignored: progress is shown if the output is a terminal.
	progress: '--progress'
};

type AddOptions = Options<keyof typeof OPTIONS>;

interface NewModule {
	name: string;
	path: string;
	/** URL as given (`url` is the resolved URL). */
	given: string;
	url: string;
	branch: string | undefined;
	isForced: boolean;
}

/** Adds a repository as a submodule: `git submodule add`. */
export async function addModule(run: ModuleRun, args: string[]): Promise<number> {
	const options = parseOptions(SUBMODULE_USAGE, args, OPTIONS);
	const { git } = run;
	const { repository } = git;
	requireWritableModules(repository);
	const added = newModule(git, options);
	const { path, isForced, name } = added;
	requireFree(repository, added);
	const nested = repository.nested(path);
	if (nested?.root === repository.absolute(path) && nested.head() === null)
		throw fatal(`'${path}' does not have a commit checked out`);
	if (!isForced) await add(git, ['--dry-run', '--ignore-missing', '--', `:(top,literal)${path}`]);
	if (!isModuleName(name)) throw fatal(`'${name}' is not a valid submodule name`);
	await placeModule(run, added, options);
	register(git, added);
	return 0;
}

/** @throws GitError if the URL or path is invalid */
function newModule(git: Invocation, options: AddOptions): NewModule {
	const { repository } = git;
	const [given, place, ...more] = [...options.operands, ...(options.paths ?? [])];
	if (given === undefined || more.length > 0) throw new GitError(`usage: git ${SUBMODULE_USAGE}`, 129);
	const isRelative = /^\.\.?\//.test(given);
	if (isRelative && repository.prefix !== '')
		throw fatal('Relative path can only be used from the toplevel of the working tree');
	if (!isRelative && !given.startsWith('/') && !given.includes(':'))
		throw fatal(`repo URL: '${given}' must be absolute or begin with ./|../`);
	const path = repository.fromCwd((place ?? lastPart(given)).replace(/\/+$/, ''));
	if (path === '') throw fatal("'.' already exists in the index");
	const name = options.get('name') ?? path;
	const url = moduleUrl(git, { name, path, url: given }, path);
	return { name, path, given, url, branch: options.get('branch'), isForced: options.has('force') };
}

const lastPart = (url: string): string =>
	url
		.replace(/\/+$/, '')
		.replace(/\/?\.git$/, '')
		.split(/[/:]/)
		.at(-1)!;

/** @throws GitError if the index has the path or a path below it, unless a submodule is replaced by force */
function requireFree(repository: Repository, { path, isForced }: NewModule): void {
	requireWorktreePath(path, Mode.commit);
	requirePlainPlace(repository, path);
	const there = repository.index.entries().find((entry) => entry.path === path || entry.path.startsWith(`${path}/`));
	if (!there) return;
	if (!isForced) throw fatal(`'${path}' already exists in the index`);
	if (there.mode !== Mode.commit) throw fatal(`'${path}' already exists in the index and is not a submodule`);
}

/** Puts the submodule's repository in place: an existing one, one kept in the git directory, or a clone. */
async function placeModule(run: ModuleRun, added: NewModule, options: AddOptions): Promise<void> {
	const { git } = run;
	const { repository } = git;
	const { name, path, url, branch, isForced } = added;
	const { files } = repository;
	if (files.statOrNull(repository.absolute(path))?.kind === 'directory') {
		if (!files.statOrNull(`${repository.absolute(path)}/.git`) || !repository.nested(path))
			throw fatal(`'${path}' already exists and is not a valid git repo`);
		git.out(`Adding existing repo at '${path}' to the index\n`);
		return;
	}
	const kept = moduleDirectory(repository, name);
	if (files.statOrNull(kept)?.kind === 'directory') {
		if (!isForced) throw fatal(keptText(repository, added, kept));
		git.out(`Reactivating local git directory for submodule '${name}'\n`);
	}
	const depth = options.get('depth');
	const isQuiet = run.isQuiet || options.has('quiet');
	await cloneModule(git, { name, path, url, isQuiet, options: depth === undefined ? [] : [`--depth=${depth}`] });
	const start = branch === undefined ? [] : ['-B', branch, `origin/${branch}`];
	if ((await runInModule(git, path, checkout, ['-f', '-q', ...start])) !== 0)
		throw fatal(`unable to checkout submodule '${path}'`);
}

function keptText(repository: Repository, { name, url }: NewModule, kept: string): string {
	const settings = repository.config.read(`${kept}/config`, 'local', false);
	const remotes = settings.flatMap(({ key, value }) => {
		const remote = /^remote\.(.*)\.url$/.exec(key)?.[1];
		return remote === undefined ? [] : [`  ${remote}\t${value}\n`];
	});
	return (
		`A git directory for '${name}' is found locally with remote(s):\n${remotes.join('')}` +
		`If you want to reuse this local git directory instead of cloning again from\n  ${url}\n` +
		"use the '--force' option. If the local git directory is not the correct repo\n" +
		"or you are unsure what this means choose another name with the '--name' option."
	);
}

/** Stages a submodule and writes its settings. */
function register(git: Invocation, { name, path, given, url, branch }: NewModule): void {
	const { repository } = git;
	const { config, commonDir, index } = repository;
	const file = `${commonDir}/config`;
	const head = repository.nested(path)?.head() ?? null;
	if (head === null) throw fatal(`Failed to add submodule '${path}'`);
	config.set(file, `submodule.${name}.url`, url);
	index.set(newEntry(path, { mode: Mode.commit, id: head }));
	setModule(repository, name, 'path', path);
	setModule(repository, name, 'url', given);
	if (branch !== undefined) setModule(repository, name, 'branch', branch);
	stageModules(repository);
	index.save();
	const isCovered = config.values('submodule.active').length > 0 && isActive(repository, { name, path });
	if (!isCovered) config.set(file, `submodule.${name}.active`, 'true');
}

/** @throws GitError if the path is not a submodule */
function requireModule({ repository }: Invocation, given: string): Module {
	const module = modulesOf(repository).get(repository.fromCwd(given));
	if (!module) throw fatal(`no submodule mapping found in .gitmodules for path '${given}'`);
	return module;
}

/** Changes the URL of a submodule: `git submodule set-url`. Returns its path. */
export function setModuleUrl({ git }: ModuleRun, args: string[]): string {
	const options = parseOptions(SUBMODULE_USAGE, args, { quiet: '-q --quiet' });
	const [path, url, ...more] = [...options.operands, ...(options.paths ?? [])];
	if (path === undefined || url === undefined || more.length > 0)
		throw new GitError(`usage: git ${SUBMODULE_USAGE}`, 129);
	setModule(git.repository, requireModule(git, path).name, 'url', url);
	return path;
}

/** Sets the branch that a submodule tracks: `git submodule set-branch`. */
export function setModuleBranch({ git }: ModuleRun, args: string[]): number {
	const options = parseOptions(SUBMODULE_USAGE, args, {
		quiet: '-q --quiet',
		usual: '-d --default',
		branch: '-b --branch ='
	});
	const branch = options.get('branch');
	if (branch === undefined && !options.has('usual')) throw fatal('--branch or --default required');
	if (branch !== undefined && options.has('usual'))
		throw fatal("options '--branch' and '--default' cannot be used together");
	const [path, ...more] = [...options.operands, ...(options.paths ?? [])];
	if (path === undefined || more.length > 0) throw new GitError(`usage: git ${SUBMODULE_USAGE}`, 129);
	setModule(git.repository, requireModule(git, path).name, 'branch', branch ?? null);
	return 0;
}
