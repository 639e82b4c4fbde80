import { GitError, fatal } from '../errors.ts';
import { runChild } from '../child.ts';
import { requirePlainPlace } from '../submodule/git-directory.ts';
import { nestedRun, shownPath, stagedModules, type ModuleRun, type StagedModule } from '../submodule/module-run.ts';
import { SUBMODULE_USAGE } from './submodule-usage.ts';

/** Runs a command in each checked-out submodule: `git submodule foreach`. */
export function runInModules(run: ModuleRun, args: string[]): number {
	let { isQuiet } = run;
	let isRecursive = false;
	const words = [...args];
	for (let word = words[0]; word?.startsWith('-'); word = words[0]) {
		words.shift();
		if (word === '--') break;
		if (word === '-q' || word === '--quiet') isQuiet = true;
		else if (word === '--recursive') isRecursive = true;
		else throw new GitError(`usage: git ${SUBMODULE_USAGE}`, 1);
	}
	visitAll({ ...run, isQuiet }, words, isRecursive);
	return 0;
}

function visitAll(run: ModuleRun, words: readonly string[], isRecursive: boolean): void {
	for (const staged of stagedModules(run, [])) visit(run, staged, words, isRecursive);
}

function visit(
	run: ModuleRun,
	{ path, id, module }: StagedModule,
	words: readonly string[],
	isRecursive: boolean
): void {
	const { git, isQuiet } = run;
	const { repository } = git;
	const shown = shownPath(run, path);
	if (!module) throw fatal(`No url found for submodule path '${shown}' in .gitmodules`);
	requirePlainPlace(repository, path);
	if (!repository.nested(path)) return;
	if (!isQuiet) git.out(`Entering '${shown}'\n`);
	if (words.length > 0) {
		const place = { name: module.name, sm_path: path, displaypath: shown, sha1: id, toplevel: repository.root };
		const variables = words.length === 1 ? { ...place, path } : place;
		const nested = nestedRun(run, path).git;
		const [line, rest] = words.length === 1 ? [words[0]!, []] : ['"$@"', words];
		if (runChild(nested, line, rest, { cwd: repository.absolute(path), env: variables }) !== 0)
			throw new GitError(`fatal: run_command returned non-zero status for ${shown}\n.`, 128);
	}
	if (!isRecursive) return;
	const inner = nestedRun(run, path);
	visitAll(inner, words, true);
	inner.git.flush();
}
