import { Mode } from '#environment/mode.ts';
import { fatal, GitError } from '../errors.ts';
import { headTree } from '../diff/sides.ts';
import type { IndexEntry } from '../index/index-file.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { PATHSPEC_FILE, namedOrListed } from '../worktree/pathspec-file.ts';
import type { Repository } from '../repository.ts';
import { quotePath } from '../quote-path.ts';
import { absorbDirectory, requirePlainPlace } from '../submodule/git-directory.ts';
import { forgetModule, requireStagedModules, stageModules } from '../submodule/gitmodules-edit.ts';
import { modulesOf } from '../submodule/modules.ts';
import { lstatOrNull, removeFile } from '../worktree/checkout.ts';
import { changedFile } from '../worktree/file-state.ts';
import { adviseOnSkipped, isSkipped, onlySkipped } from '../worktree/skipped-entries.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { computeStatus } from '../worktree/status.ts';
import { findInTree } from '../worktree/tree-files.ts';

export const rm: Command = (git, args) => {
	const options = parseOptions('rm [<options>] [--] <file>...', args, {
		cached: '--cached',
		force: '-f --force',
		recursive: '-r',
		quiet: '-q --quiet',
		dryRun: '-n --dry-run',
		ignoreUnmatch: '--ignore-unmatch',
		sparse: '--sparse',
		...PATHSPEC_FILE
	});
	const { repository } = git;
	const { index } = repository;
	const given = namedOrListed(git, options, [...options.operands, ...(options.paths ?? [])]);
	if (given.length === 0) throw fatal('No pathspec was given. Which files should I remove?');
	const pathspec = new Pathspec(repository, given, true);
	const entries = index.entries().filter((entry) => options.has('sparse') || !isSkipped(repository, entry));
	const skipped = options.has('sparse') || options.has('ignoreUnmatch') ? [] : onlySkipped(repository, pathspec);
	for (const item of pathspec.items) {
		const found = entries.filter(({ path }) => item.matches(path));
		const isFile =
			item.given.endsWith('/') && found.some(({ path, mode }) => path === item.path && mode !== Mode.commit);
		if (skipped.includes(item.given)) continue;
		if ((found.length === 0 || isFile) && !options.has('ignoreUnmatch'))
			throw fatal(`pathspec '${item.given}' did not match any files`);
		const whole = found.some(({ path }) => path !== item.path) && !/[*?[]/.test(item.path);
		if (whole && !options.has('recursive')) throw fatal(`not removing '${item.given}' recursively without -r`);
	}
	const code = adviseOnSkipped(git, skipped) ? 1 : 0;
	const chosen = entries.filter(({ path }) => pathspec.matches(path));
	const isCached = options.has('cached');
	if (!isCached) takeInModules(git, chosen);
	if (!options.has('force')) refuseLoss(repository, chosen, isCached);
	for (const { path } of chosen) {
		if (!options.has('quiet')) git.out(`rm '${quotePath(path)}'\n`);
		if (!options.has('dryRun')) index.remove(path);
	}
	if (options.has('dryRun')) return code;
	if (!isCached) removeAll(git, chosen);
	index.save();
	return code;
};

/** Moves the repositories of submodules out of their worktrees, so that these can be removed. */
function takeInModules(git: Invocation, chosen: readonly IndexEntry[]): void {
	const { repository } = git;
	const staged = chosen.filter(({ mode }) => mode === Mode.commit);
	if (staged.length === 0) return;
	requireStagedModules(repository);
	const modules = modulesOf(repository);
	for (const { path } of staged) {
		requirePlainPlace(repository, path);
		absorbDirectory(git.repository, path, modules.get(path)?.name ?? path, true);
	}
}

/** Removes files and submodules, including the submodules' entries in `.gitmodules`. */
function removeAll(git: Invocation, chosen: readonly IndexEntry[]): void {
	const { repository } = git;
	let areModulesChanged = false;
	let isRemoved = false;
	const modes = new Map(chosen.map(({ path, mode }) => [path, mode]));
	for (const [path, mode] of modes) {
		if (mode === Mode.commit) {
			requirePlainPlace(repository, path);
			const worktree = repository.absolute(path);
			if (lstatOrNull(repository, worktree)?.kind === 'directory')
				repository.files.remove(worktree, { recursive: true });
			areModulesChanged = forgetModule(git, path) || areModulesChanged;
		} else if (lstatOrNull(repository, repository.absolute(path))?.kind === 'directory') {
			if (!isRemoved) throw fatal(`git rm: '${path}': Is a directory`);
			continue;
		}
		removeFile(repository, path);
		isRemoved = true;
	}
	if (areModulesChanged) stageModules(repository);
}

const isEmpty = (repository: Repository, { path }: IndexEntry): boolean =>
	repository.files.statOrNull(repository.absolute(path))?.kind !== 'directory' ||
	repository.files.readdir(repository.absolute(path)).length === 0;

/** Returns whether removing a submodule would lose changes in its worktree. */
function isModuleChanged(repository: Repository, entry: IndexEntry): boolean {
	const { path, id } = entry;
	if (isEmpty(repository, entry)) return false;
	const nested = repository.nested(path);
	if (!nested || nested.head() !== id) return true;
	const { staged, unstaged, unmerged, untracked } = computeStatus(nested, { ignoredState: 'none' });
	return staged.length + unstaged.length + unmerged.length + untracked.length > 0;
}

/** @throws GitError naming the files whose content would be lost */
function refuseLoss(repository: Repository, chosen: readonly IndexEntry[], isCached: boolean): void {
	const tree = headTree(repository);
	const lost = { both: [] as string[], staged: [] as string[], local: [] as string[] };
	for (const entry of chosen) {
		const stat = lstatOrNull(repository, repository.absolute(entry.path));
		if (!stat || (isCached && entry.intentToAdd)) continue;
		// Of unmerged entries, only a submodule can lose something: check our side.
		if (entry.stage > 0 && (entry.mode !== Mode.commit || entry.stage !== 2 || isEmpty(repository, entry))) continue;
		// A directory in place of a file is not removed.
		if (stat.kind === 'directory' && entry.mode !== Mode.commit) continue;
		const head = findInTree(repository.objects, tree, entry.path);
		const isChanged =
			entry.mode === Mode.commit ? isModuleChanged(repository, entry) : changedFile(repository, entry, stat) !== null;
		const isStaged = head?.id !== entry.id || head.mode !== entry.mode;
		if (isStaged && isChanged) lost.both.push(entry.path);
		else if (isCached) continue;
		else if (isStaged) lost.staged.push(entry.path);
		else if (isChanged) lost.local.push(entry.path);
	}
	const showsHints = repository.config.flag('advice.rmhints', true);
	const complain = (paths: string[], what: string, hint: string): string[] => {
		if (paths.length === 0) return [];
		const list = paths.map((path) => `\n    ${path}`).join('');
		const subject = paths.length === 1 ? 'file has' : 'files have';
		return [`error: the following ${subject} ${what}:${list}${showsHints ? `\n(use ${hint} to force removal)` : ''}`];
	};
	const keep = '--cached to keep the file, or -f';
	const complaints = [
		...complain(lost.both, 'staged content different from both the\nfile and the HEAD', '-f'),
		...complain(lost.staged, 'changes staged in the index', keep),
		...complain(lost.local, 'local modifications', keep)
	];
	if (complaints.length > 0) throw new GitError(complaints.join('\n'), 1);
}
