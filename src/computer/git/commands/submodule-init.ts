import { GitError } from '../errors.ts';
import { parseOptions } from '../options.ts';
import { isActive } from '../submodule/modules.ts';
import { shownPath, stagedModules, type ModuleRun, type StagedModule } from '../submodule/module-run.ts';
import { moduleUrl } from '../submodule/module-url.ts';
import { SUBMODULE_USAGE } from './submodule-usage.ts';
import { fatal } from '../errors.ts';

/** Registers submodules: `git submodule init`. */
export function initModules(run: ModuleRun, args: string[]): number {
	const options = parseOptions(SUBMODULE_USAGE, args, { quiet: '-q --quiet' });
	const own = { ...run, isQuiet: run.isQuiet || options.has('quiet') };
	registerModules(own, [...options.operands, ...(options.paths ?? [])]);
	return 0;
}

/** Registers the submodules at the given paths; without paths, the active ones. */
export function registerModules(run: ModuleRun, given: readonly string[]): void {
	const { repository } = run.git;
	const isChosen = given.length === 0 && repository.config.values('submodule.active').length > 0;
	for (const staged of stagedModules(run, given)) {
		if (isChosen && staged.module && !isActive(repository, staged.module)) continue;
		register(run, staged);
	}
}

function register(run: ModuleRun, { path, module }: StagedModule): void {
	const { git } = run;
	const { config, commonDir } = git.repository;
	const shown = shownPath(run, path);
	if (!module) throw fatal(`No url found for submodule path '${shown}' in .gitmodules`);
	const file = `${commonDir}/config`;
	const section = `submodule.${module.name}`;
	if (!isActive(git.repository, module)) config.set(file, `${section}.active`, 'true');
	if (config.get(`${section}.url`) === undefined) {
		const url = moduleUrl(git, module, shown, { isQuiet: false });
		config.set(file, `${section}.url`, url);
		if (!run.isQuiet) git.err(`Submodule '${module.name}' (${url}) registered for path '${shown}'\n`);
	}
	if (module.update === undefined || config.get(`${section}.update`) !== undefined) return;
	if (!['checkout', 'rebase', 'merge', 'none'].includes(module.update))
		throw new GitError(`fatal: invalid value for '${section}.update'`, 128);
	config.set(file, `${section}.update`, module.update);
}
