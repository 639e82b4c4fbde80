import { Mode } from '#environment/mode.ts';
import { fatal, GitError } from '../errors.ts';
import { headTree } from '../diff/sides.ts';
import type { IndexEntry } from '../index/index-file.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import type { Repository } from '../repository.ts';
import { quotePath } from '../quote-path.ts';
import { lstatOrNull, removeFile } from '../worktree/checkout.ts';
import { changedFile } from '../worktree/file-state.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { findInTree } from '../worktree/tree-files.ts';

export const rm: Command = (git, args) => {
	const options = parseOptions('rm [<options>] [--] <file>...', args, {
		cached: '--cached',
		force: '-f --force',
		recursive: '-r',
		quiet: '-q --quiet',
		dryRun: '-n --dry-run',
		ignoreUnmatch: '--ignore-unmatch'
	});
	const { repository } = git;
	const { index } = repository;
	const given = [...options.operands, ...(options.paths ?? [])];
	if (given.length === 0) throw fatal('No pathspec was given. Which files should I remove?');
	const pathspec = new Pathspec(repository, given);
	const entries = index.entries();
	for (const item of pathspec.items) {
		const found = entries.filter(({ path }) => item.matches(path));
		const isFile = item.given.endsWith('/') && found.some(({ path }) => path === item.path);
		if ((found.length === 0 || isFile) && !options.has('ignoreUnmatch'))
			throw fatal(`pathspec '${item.given}' did not match any files`);
		const whole = found.some(({ path }) => path !== item.path) && !/[*?[]/.test(item.path);
		if (whole && !options.has('recursive')) throw fatal(`not removing '${item.given}' recursively without -r`);
	}
	const chosen = entries.filter(({ path }) => pathspec.matches(path));
	if (!options.has('force')) refuseLoss(repository, chosen, options.has('cached'));
	for (const { path } of chosen) {
		if (!options.has('quiet')) git.out(`rm '${quotePath(path)}'\n`);
		if (options.has('dryRun')) continue;
		index.remove(path);
		if (!options.has('cached')) removeFile(repository, path);
	}
	index.save();
	return 0;
};

/** @throws GitError naming the files whose content would be lost */
function refuseLoss(repository: Repository, chosen: readonly IndexEntry[], isCached: boolean): void {
	const { files } = repository;
	const tree = headTree(repository);
	const lost = { both: [] as string[], staged: [] as string[], local: [] as string[] };
	for (const entry of chosen) {
		const stat = lstatOrNull(repository, repository.absolute(entry.path));
		if (!stat || entry.stage > 0 || (isCached && entry.intentToAdd)) continue;
		if (entry.mode === Mode.commit) {
			if (isCached || files.readdir(repository.absolute(entry.path)).length === 0) continue;
			throw new GitError(`error: '${entry.path}' is a repository of its own. Use --cached to keep it`, 1);
		}
		const head = findInTree(repository.objects, tree, entry.path);
		const isChanged = changedFile(repository, entry, stat) !== null;
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
