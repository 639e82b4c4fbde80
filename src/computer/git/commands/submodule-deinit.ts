import { fatal, GitError } from '../errors.ts';
import { parseOptions } from '../options.ts';
import { absorbDirectory, requirePlainPlace } from '../submodule/git-directory.ts';
import { nestedRun, shownPath, stagedModules, type ModuleRun, type StagedModule } from '../submodule/module-run.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import { rm } from './rm.ts';
import { SUBMODULE_USAGE } from './submodule-usage.ts';

/** Removes the worktrees and settings of submodules: `git submodule deinit`. */
export async function deinitModules(run: ModuleRun, args: string[]): Promise<number> {
	const options = parseOptions(SUBMODULE_USAGE, args, { quiet: '-q --quiet', force: '-f --force', all: '--all' });
	const given = [...options.operands, ...(options.paths ?? [])];
	if (options.has('all') && given.length > 0)
		throw new GitError(`error: pathspec and --all are incompatible\nusage: git ${SUBMODULE_USAGE}`, 129);
	if (!options.has('all') && given.length === 0)
		throw fatal("Use '--all' if you really want to deinitialize all submodules");
	const own = { ...run, isQuiet: run.isQuiet || options.has('quiet') };
	for (const staged of stagedModules(own, given)) await deinit(own, staged, options.has('force'));
	return 0;
}

async function deinit(run: ModuleRun, { path, module }: StagedModule, isForced: boolean): Promise<void> {
	if (!module) return;
	const { git, isQuiet } = run;
	const { repository } = git;
	const { files, config, commonDir } = repository;
	const say = (text: string) => !isQuiet && git.out(text);
	const shown = shownPath(run, path);
	const worktree = repository.absolute(path);
	requirePlainPlace(repository, path);
	if (files.statOrNull(worktree)?.kind === 'directory') {
		if (lstatOrNull(repository, `${worktree}/.git`)?.kind === 'directory') {
			if (!isQuiet)
				git.err(
					`warning: Submodule work tree '${shown}' contains a .git directory. This will be replaced with a .git file by using absorbgitdirs.\n`
				);
			absorbDirectory(git.repository, path, module.name, true);
		}
		if (!isForced) await requireNoChanges(run, path, shown);
		const gitDir = repository.nested(path)?.gitDir;
		files.remove(worktree, { recursive: true });
		say(`Cleared directory '${shown}'\n`);
		if (gitDir !== undefined) config.set(`${gitDir}/config`, 'core.worktree', null);
	}
	files.mkdir(worktree, { recursive: true });
	const section = `submodule.${module.name}`;
	if (!config.all().some(({ key, scope }) => scope === 'local' && key.startsWith(`${section}.`))) return;
	config.removeSection(`${commonDir}/config`, section);
	say(`Submodule '${module.name}' (${module.url ?? ''}) unregistered for path '${shown}'\n`);
}

/** @throws GitError if changes would be lost */
async function requireNoChanges({ git }: ModuleRun, path: string, shown: string): Promise<void> {
	try {
		await rm(git, ['-q', '-n', '--', `:(top,literal)${path}`]);
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		const hint = "contains local modifications; use '-f' to discard them";
		throw new GitError(`${error.message}\nfatal: Submodule work tree '${shown}' ${hint}`, 128);
	}
}

/** Moves submodules' git directories into the superproject's: `git submodule absorbgitdirs`. */
export function absorbModules(run: ModuleRun, args: string[]): number {
	const options = parseOptions(SUBMODULE_USAGE, args, { quiet: '-q --quiet' });
	absorbAll(run, [...options.operands, ...(options.paths ?? [])]);
	return 0;
}

function absorbAll(run: ModuleRun, given: readonly string[]): void {
	for (const { path, module } of stagedModules(run, given)) {
		requirePlainPlace(run.git.repository, path);
		if (module) absorbDirectory(run.git.repository, path, module.name, true);
		if (!run.git.repository.nested(path)) continue;
		const inner = nestedRun(run, path);
		absorbAll(inner, []);
		inner.git.flush();
	}
}
