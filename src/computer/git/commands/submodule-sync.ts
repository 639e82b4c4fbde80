import { parseOptions } from '../options.ts';
import { isActive } from '../submodule/modules.ts';
import { nestedRun, shownPath, stagedModules, type ModuleRun, type StagedModule } from '../submodule/module-run.ts';
import { moduleUrl } from '../submodule/module-url.ts';
import { defaultRemote } from '../remote/remote-settings.ts';
import { SUBMODULE_USAGE } from './submodule-usage.ts';

/** Copies submodule URLs from `.gitmodules` to the configuration: `git submodule sync`. */
export function syncModules(run: ModuleRun, args: string[]): number {
	const options = parseOptions(SUBMODULE_USAGE, args, { quiet: '-q --quiet', recursive: '--recursive' });
	const own = { ...run, isQuiet: run.isQuiet || options.has('quiet') };
	for (const staged of stagedModules(own, [...options.operands, ...(options.paths ?? [])]))
		syncOne(own, staged, options.has('recursive'));
	return 0;
}

function syncOne(run: ModuleRun, { path, module }: StagedModule, isRecursive: boolean): void {
	const { git, isQuiet } = run;
	const { repository } = git;
	if (!module || !isActive(repository, module)) return;
	const shown = shownPath(run, path);
	if (!isQuiet) git.out(`Synchronizing submodule url for '${shown}'\n`);
	const up = '../'.repeat(path.split('/').length);
	const urlFrom = (way: string) => (module.url === undefined ? '' : moduleUrl(git, module, shown, { up: way }));
	repository.config.set(`${repository.commonDir}/config`, `submodule.${module.name}.url`, urlFrom(''));
	const nested = repository.nested(path);
	if (!nested) return;
	const inner = nestedRun(run, path);
	nested.config.set(`${nested.commonDir}/config`, `remote.${defaultRemote(inner.git.repository)}.url`, urlFrom(up));
	if (!isRecursive) return;
	syncModules(inner, ['--recursive']);
	inner.git.flush();
}
