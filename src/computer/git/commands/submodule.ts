import { GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import type { ModuleRun } from '../submodule/module-run.ts';
import { addModule, setModuleBranch, setModuleUrl } from './submodule-add.ts';
import { absorbModules, deinitModules } from './submodule-deinit.ts';
import { runInModules } from './submodule-foreach.ts';
import { initModules } from './submodule-init.ts';
import { moduleStatus } from './submodule-status.ts';
import { summarizeModules } from './submodule-summary.ts';
import { syncModules } from './submodule-sync.ts';
import { updateModules } from './submodule-update.ts';
import { SUBMODULE_USAGE } from './submodule-usage.ts';
import { UsageAsked } from '../options.ts';

const COMMANDS: Readonly<Record<string, (run: ModuleRun, args: string[]) => number | Promise<number>>> = {
	add: addModule,
	absorbgitdirs: absorbModules,
	deinit: deinitModules,
	foreach: runInModules,
	init: initModules,
	'set-branch': setModuleBranch,
	'set-url': (run, args) => syncModules(run, ['--', setModuleUrl(run, args)]),
	status: moduleStatus,
	summary: summarizeModules,
	sync: syncModules,
	update: updateModules
};

/** `git submodule`: manages repositories inside the worktree, each at a commit recorded in the index. */
export const submodule: Command = (git, args) => {
	const words = [...args];
	const leading: string[] = [];
	while (/^(?:-q|--quiet|--cached)$/.test(words[0] ?? '')) leading.push(words.shift()!);
	if (words[0] === '-h') throw new UsageAsked(`usage: git ${SUBMODULE_USAGE}\n`);
	const word = words.shift() ?? 'status';
	const command = COMMANDS[word];
	const isCached = leading.includes('--cached');
	if (!command || (isCached && word !== 'status' && word !== 'summary'))
		throw new GitError(`usage: git ${SUBMODULE_USAGE}`, 1);
	const isQuiet = leading.some((one) => one !== '--cached');
	return command({ git, isQuiet, prefix: null }, [...(isCached ? ['--cached'] : []), ...words]);
};
