import { GitError } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { parseOptions, type Options } from '../options.ts';
import { repositoryAt, type Repository } from '../repository.ts';
import { cloneModule } from '../submodule/clone-module.ts';
import { requirePlainPlace } from '../submodule/git-directory.ts';
import { isActive, type Module } from '../submodule/modules.ts';
import { nestedRun, runInModule, shownPath, stagedModules } from '../submodule/module-run.ts';
import type { ModuleRun, StagedModule } from '../submodule/module-run.ts';
import { checkout } from './checkout.ts';
import { fetch } from './fetch.ts';
import { defaultRemote } from '../remote/remote-settings.ts';
import { merge } from './merge.ts';
import { rebase } from './rebase.ts';
import { registerModules } from './submodule-init.ts';
import { SUBMODULE_USAGE } from './submodule-usage.ts';

const OPTIONS = {
	quiet: '-q --quiet',
	init: '-i --init',
	requireInit: '--require-init',
	remote: '--remote',
	noFetch: '-N --no-fetch',
	force: '-f --force',
	rebase: '-r --rebase',
	merge: '-m --merge',
	checkout: '--checkout',
	recursive: '--recursive',
	depth: '--depth =',
	single: '--single-branch',
	allBranches: '--no-single-branch',
	filter: '--filter =',
	// Ignored: submodules are updated one after another, and progress is shown if the output is a terminal.
	speed: '-j --jobs =',
	progress: '--progress',
	shallow: '--recommend-shallow',
	whole: '--no-recommend-shallow'
};

type UpdateOptions = Options<keyof typeof OPTIONS>;
type Way = 'checkout' | 'merge' | 'rebase' | 'none';

/** Updates submodules to the commits in the index: `git submodule update`. */
export async function updateModules(run: ModuleRun, args: string[]): Promise<number> {
	const options = parseOptions(SUBMODULE_USAGE, args, OPTIONS);
	const own = { ...run, isQuiet: run.isQuiet || options.has('quiet') };
	return updateAll(own, options, [...options.operands, ...(options.paths ?? [])]);
}

async function updateAll(run: ModuleRun, options: UpdateOptions, given: readonly string[]): Promise<number> {
	if (options.has('init') || options.has('requireInit')) registerModules(run, given);
	const chosen = stagedModules(run, given).filter((staged) => isUpdated(run, options, staged, given.length > 0));
	const cloned = new Set<string>();
	for (const staged of chosen) {
		if (run.git.repository.nested(staged.path)) continue;
		if (!(await cloneStaged(run, options, staged))) return 1;
		cloned.add(staged.path);
	}
	let code = 0;
	for (const staged of chosen) {
		const result = await updateOne(run, options, staged, cloned.has(staged.path));
		if (result !== 0) code = result;
		if (result === 128) return result;
	}
	return code;
}

/** Returns whether a submodule is to be updated; reports the reason if not. */
function isUpdated(run: ModuleRun, options: UpdateOptions, staged: StagedModule, isNamed: boolean): boolean {
	const { git } = run;
	const { path, module, isUnmerged } = staged;
	const shown = shownPath(run, path);
	if (isUnmerged) git.err(`Skipping unmerged submodule ${shown}\n`);
	else if (!module || !isActive(git.repository, module)) {
		if (isNamed) git.err(`Submodule path '${shown}' not initialized\nMaybe you want to use 'update --init'?\n`);
	} else if (wayOf(git.repository, options, module) === 'none') git.err(`Skipping submodule '${shown}'\n`);
	else return true;
	return false;
}

/** Update mode of a submodule: from options, settings or `.gitmodules`. */
function wayOf({ config }: Repository, options: UpdateOptions, { name, update }: Module): Way {
	const asked = options.latest('checkout', 'merge', 'rebase');
	if (asked) return asked;
	const word = config.get(`submodule.${name}.update`) ?? update ?? 'checkout';
	const found = (['checkout', 'merge', 'rebase', 'none'] as const).find((one) => one === word);
	if (!found) throw new GitError(`fatal: Invalid update mode '${word}' configured for submodule path '${name}'`, 128);
	return found;
}

/** Clones a submodule, with one retry. Returns false if both attempts fail. */
async function cloneStaged(run: ModuleRun, options: UpdateOptions, { path, module }: StagedModule): Promise<boolean> {
	const { git } = run;
	const { name, url: shared = '' } = module!;
	const url = git.repository.config.get(`submodule.${name}.url`) ?? shared;
	const source = { name, path, url, isQuiet: run.isQuiet, options: cloneOptions(options, module!) };
	for (const again of [`Failed to clone '${path}'. Retry scheduled\n`, '']) {
		try {
			await cloneModule(git, source);
			return true;
		} catch (error) {
			if (!(error instanceof GitError)) throw error;
			git.err(`${error.message}\n${again}`);
		}
	}
	git.err(`Failed to clone '${path}' a second time, aborting\n`);
	return false;
}

function cloneOptions(options: UpdateOptions, { isShallow = false }: Module): string[] {
	const recommended = isShallow && options.latest('shallow', 'whole') !== 'whole' ? '1' : undefined;
	const depth = options.get('depth') ?? recommended;
	const branches = options.latest('single', 'allBranches');
	return [
		...options.all('filter').map((filter) => `--filter=${filter}`),
		...(depth === undefined ? [] : [`--depth=${depth}`]),
		...(branches ? [branches === 'single' ? '--single-branch' : '--no-single-branch'] : [])
	];
}

async function updateOne(
	run: ModuleRun,
	options: UpdateOptions,
	staged: StagedModule,
	isNew: boolean
): Promise<number> {
	const { git } = run;
	const { path, module } = staged;
	const shown = shownPath(run, path);
	requirePlainPlace(git.repository, path);
	const nested = repositoryAt(git.surroundings, git.repository.absolute(path));
	if (!nested) throw new GitError(`fatal: could not get a repository handle for submodule '${path}'`, 128);
	const wanted = options.has('remote') ? await remoteCommit(run, options, staged) : staged.id;
	const head = isNew ? null : nested.head();
	if (head === null && !isNew)
		throw new GitError(`fatal: Unable to find current revision in submodule path '${shown}'`, 128);
	if (head !== wanted || options.has('force')) {
		const chosen = wayOf(git.repository, options, module!);
		const way = isNew || chosen === 'none' ? 'checkout' : chosen;
		if (!options.has('noFetch') && !nested.objects.has(wanted)) await fetchCommit(run, path, shown, wanted);
		const code = await moveTo(run, path, { way, wanted, isForced: options.has('force') });
		if (code !== 0) return code;
	}
	if (!options.has('recursive')) return 0;
	return updateAll(nestedRun(run, path), options, []);
}

/** Commit of the branch that a submodule tracks, for `--remote`. @throws GitError if there is none */
async function remoteCommit(run: ModuleRun, options: UpdateOptions, { path, module }: StagedModule): Promise<string> {
	const { git } = run;
	const { config, refs } = git.repository;
	const nested = nestedRun(run, path).git;
	const remote = defaultRemote(nested.repository);
	const named = config.get(`submodule.${module!.name}.branch`) ?? module!.branch;
	const own = named === '.' ? refs.currentBranch() : named;
	const shown = shownPath(run, path);
	if (own === null)
		throw new GitError(
			`fatal: Submodule (${module!.name}) branch configured to inherit branch from superproject, but the superproject is not on any branch`,
			128
		);
	if (!options.has('noFetch')) {
		const code = await runInModule(git, path, fetch, [...(run.isQuiet ? ['-q'] : []), remote]);
		if (code !== 0) throw new GitError(`fatal: Unable to fetch in submodule path '${shown}'`, 128);
	}
	const id = repositoryOf(git, path).refs.resolve(`refs/remotes/${remote}/${own ?? 'HEAD'}`);
	if (id === null)
		throw new GitError(
			`fatal: Unable to find refs/remotes/${remote}/${own ?? 'HEAD'} revision in submodule path '${shown}'`,
			128
		);
	return id;
}

function repositoryOf(git: Invocation, path: string): Repository {
	return repositoryAt(git.surroundings, git.repository.absolute(path))!;
}

/** Fetches a missing commit with the remote's branches, or else directly. @throws GitError if it is still missing */
async function fetchCommit(run: ModuleRun, path: string, shown: string, wanted: string): Promise<void> {
	const { git } = run;
	const nested = nestedRun(run, path).git;
	const remote = defaultRemote(nested.repository);
	const quiet = run.isQuiet ? ['-q'] : [];
	if ((await runInModule(git, path, fetch, [...quiet, remote])) !== 0)
		git.err(`Unable to fetch in submodule path '${shown}'; trying to directly fetch ${wanted}:\n`);
	if (repositoryOf(git, path).objects.has(wanted)) return;
	const code = await runInModule(git, path, fetch, [...quiet, remote, wanted]);
	if (code !== 0 || !repositoryOf(git, path).objects.has(wanted))
		throw new GitError(
			`fatal: Fetched in submodule path '${shown}', but it did not contain ${wanted}. Direct fetching of that commit failed.`,
			128
		);
}

interface ModuleMove {
	way: Exclude<Way, 'none'>;
	wanted: string;
	isForced: boolean;
}

const VERBS = { checkout: 'checked out', merge: 'merged in', rebase: 'rebased into' };

async function moveTo(run: ModuleRun, path: string, { way, wanted, isForced }: ModuleMove): Promise<number> {
	const { git, isQuiet } = run;
	const shown = shownPath(run, path);
	const quiet = isQuiet ? ['-q'] : [];
	const code =
		way === 'checkout'
			? await runInModule(git, path, checkout, ['-q', ...(isForced ? ['-f'] : []), wanted])
			: await runInModule(git, path, way === 'merge' ? merge : rebase, [...quiet, wanted]);
	if (code !== 0) {
		git.err(`fatal: Unable to ${way} '${wanted}' in submodule path '${shown}'\n`);
		return way === 'checkout' ? 1 : 128;
	}
	if (!isQuiet) git.out(`Submodule path '${shown}': ${VERBS[way]} '${wanted}'\n`);
	return 0;
}
