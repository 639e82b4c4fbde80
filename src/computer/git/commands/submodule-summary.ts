import { Mode } from '#environment/mode.ts';
import { makeChange, type Change } from '../diff/change.ts';
import { fatal } from '../errors.ts';
import { parseOptions } from '../options.ts';
import { findRevision, peel } from '../refs/revision.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { submoduleSummary } from '../worktree/submodules.ts';
import { findInTree } from '../worktree/tree-files.ts';
import type { ModuleRun } from '../submodule/module-run.ts';
import { SUBMODULE_USAGE } from './submodule-usage.ts';

/** Shows the commits between the recorded and the current commits of submodules: `git submodule summary`. */
export function summarizeModules({ git }: ModuleRun, args: string[]): number {
	const options = parseOptions(SUBMODULE_USAGE, args, {
		quiet: '-q --quiet',
		cached: '--cached',
		files: '--files',
		limit: '-n --summary-limit ='
	});
	if (options.has('cached') && options.has('files'))
		throw fatal("options '--cached' and '--files' cannot be used together");
	const { repository } = git;
	const { index, objects } = repository;
	const [first, ...others] = options.operands;
	const named = first === undefined ? null : findRevision(repository, first);
	const paths = [...(named === null && first !== undefined ? [first] : []), ...others, ...(options.paths ?? [])];
	const start = named ?? repository.head();
	const commit = start === null ? null : peel(repository, start, 'commit');
	const tree = commit === null ? EMPTY_TREE : repository.commit(commit).tree;
	const pathspec = new Pathspec(repository, paths);
	const limit = Number(options.get('limit') ?? -1);
	if (limit === 0) return 0;
	const changes = index.entries().flatMap((entry): Change[] => {
		if (entry.mode !== Mode.commit || entry.stage > 0 || !pathspec.matches(entry.path)) return [];
		const committed = findInTree(objects, tree, entry.path);
		const before = options.has('files') ? { mode: entry.mode, id: entry.id } : committed;
		const head = options.has('cached') ? entry.id : (repository.nested(entry.path)?.head() ?? entry.id);
		if (before?.id === head) return [];
		const side = before && { mode: before.mode, id: before.id };
		return [makeChange(entry.path, side ?? null, { mode: entry.mode, id: head })];
	});
	git.out(submoduleSummary(repository, changes, limit < 0 ? Infinity : limit));
	return 0;
}
