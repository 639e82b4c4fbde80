import { fatal, GitError } from '../errors.ts';
import { headTree } from '../diff/sides.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
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
	const { index, files, root } = repository;
	const given = [...options.operands, ...(options.paths ?? [])];
	if (given.length === 0) throw fatal('No pathspec was given. Which files should I remove?');
	const pathspec = new Pathspec(repository, given);
	const entries = index.entries();
	for (const item of pathspec.items) {
		const found = entries.filter(({ path }) => item.matches(path));
		if (found.length === 0 && !options.has('ignoreUnmatch'))
			throw fatal(`pathspec '${item.given}' did not match any files`);
		const whole = found.some(({ path }) => path !== item.path) && !/[*?[]/.test(item.path);
		if (whole && !options.has('recursive')) throw fatal(`not removing '${item.given}' recursively without -r`);
	}
	const chosen = entries.filter(({ path }) => pathspec.matches(path));
	const tree = headTree(repository);
	const staged: string[] = [];
	const local: string[] = [];
	for (const entry of options.has('force') ? [] : chosen) {
		const stat = lstatOrNull(repository, repository.absolute(entry.path));
		if (!stat || entry.stage > 0) continue;
		const head = findInTree(repository.objects, tree, entry.path);
		const changed = changedFile(files, index, root, entry, stat) !== null;
		const isStaged = head?.id !== entry.id || head.mode !== entry.mode;
		if (isStaged && !(options.has('cached') && !changed)) staged.push(entry.path);
		else if (changed && !options.has('cached')) local.push(entry.path);
	}
	const complain = (paths: string[], what: string) =>
		`error: the following file${paths.length === 1 ? ' has' : 's have'} ${what}:\n${paths.map((path) => `    ${path}\n`).join('')}(use --cached to keep the file, or -f to force removal)`;
	const complaints = [
		...(staged.length > 0 ? [complain(staged, 'changes staged in the index')] : []),
		...(local.length > 0 ? [complain(local, 'local modifications')] : [])
	];
	if (complaints.length > 0) throw new GitError(complaints.join('\n'), 1);
	for (const { path } of chosen) {
		if (!options.has('quiet')) git.out(`rm '${quotePath(path)}'\n`);
		if (options.has('dryRun')) continue;
		index.remove(path);
		if (!options.has('cached')) removeFile(repository, path);
	}
	index.save();
	return 0;
};
