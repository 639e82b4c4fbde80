import { modeText } from '../objects/tree.ts';
import { binaryBytes } from '../diff/lines.ts';
import { fatal, GitError } from '../errors.ts';
import { mergeBases } from '../history/walk.ts';
import { inputLines } from '../input-lines.ts';
import type { Command, Invocation } from '../invocation.ts';
import { mergedTree } from '../merge/apply.ts';
import { mergeCommits } from '../merge/merge-commits.ts';
import { TrivialMerge } from '../merge/trivial-merge.ts';
import { parseOptions, type Options } from '../options.ts';
import { findRevision, peel } from '../refs/revision.ts';
import { quotePath } from '../quote-path.ts';

const USAGE = 'merge-tree [--write-tree] [<options>] <branch1> <branch2>';

const OPTIONS = {
	write: '--write-tree',
	trivial: '--trivial-merge',
	messages: '--messages !',
	zero: '-z',
	nameOnly: '--name-only',
	unrelated: '--allow-unrelated-histories',
	stdin: '--stdin'
};

type MergeTreeOptions = Options<keyof typeof OPTIONS>;

/** `git merge-tree`: merges two commits into a tree object without changing the index and worktree. */
export const mergeTree: Command = (git, args) => {
	const options = parseOptions(USAGE, args, OPTIONS);
	const operands = [...options.operands, ...(options.paths ?? [])];
	if (options.has('write') && options.has('trivial'))
		throw new GitError("error: option `trivial-merge' is incompatible with --write-tree", 129);
	const isTrivial = options.has('trivial') || (!options.has('write') && operands.length === 3);
	if (
		isTrivial &&
		(options.inOrder('messages', 'zero', 'nameOnly', 'unrelated', 'stdin').length > 0 ||
			options.isTakenBack('messages'))
	)
		throw fatal('--trivial-merge is incompatible with all other options');
	if (options.has('stdin')) {
		for (const line of inputLines(git)) mergeLine(git, line, options);
		return 0;
	}
	const [one = '', two = '', three = ''] = operands;
	if (operands.length !== (isTrivial ? 3 : 2)) throw new GitError(`usage: git ${USAGE}`, 129);
	if (!isTrivial) return mergeBranches(git, one, two, options) ? 0 : 1;
	git.out(binaryBytes(new TrivialMerge(git, [treeOf(git, one), treeOf(git, two), treeOf(git, three)]).text()));
	return 0;
};

function mergeLine(git: Invocation, line: string, options: MergeTreeOptions): void {
	const [ours, theirs, ...others] = line.split(' ');
	if (!ours || !theirs || others.length > 0) throw fatal(`malformed input line: '${line}'.`);
	mergeBranches(git, ours, theirs, options);
}

/** Merges like `git merge` and prints the tree, conflicts and messages. @returns false if there are conflicts */
function mergeBranches(git: Invocation, ours: string, theirs: string, options: MergeTreeOptions): boolean {
	const { repository } = git;
	const [one, other] = [commitOf(git, ours), commitOf(git, theirs)];
	if (!options.has('unrelated') && mergeBases(repository, one, other).length === 0)
		throw fatal('refusing to merge unrelated histories');
	const merged = mergeCommits(git, one, other, { ours, theirs });
	const isStdin = options.has('stdin');
	const isZero = isStdin || options.has('zero');
	const end = isZero ? '\0' : '\n';
	const shown = (path: string) => (isZero ? repository.toCwd(path) : quotePath(repository.toCwd(path))) + end;
	if (isStdin) git.out(`${merged.isClean ? 1 : 0}${end}`);
	git.out(mergedTree(git, merged) + end);
	for (const { path, stages } of merged.conflicts) {
		if (options.has('nameOnly')) git.out(shown(path));
		else
			for (const [at, stage] of stages.entries())
				if (stage) git.out(`${modeText(stage.mode)} ${stage.id} ${at + 1}\t${shown(path)}`);
	}
	const saysAll = options.has('messages') || (!options.isTakenBack('messages') && !merged.isClean);
	if (saysAll) {
		git.out(end);
		for (const { kind, paths, text } of merged.notices)
			git.out(isZero ? [paths.length, ...paths, kind, `${text}\n`].map((field) => `${field}\0`).join('') : `${text}\n`);
		git.out(merged.advice);
	}
	if (isStdin) git.out(end);
	return merged.isClean;
}

function commitOf({ repository }: Invocation, name: string): string {
	const id = findRevision(repository, name);
	const commit = id === null ? null : peel(repository, id, 'commit');
	if (commit === null) throw new GitError(`merge-tree: ${name} - not something we can merge`, 1);
	return commit;
}

function treeOf({ repository }: Invocation, name: string): string {
	const id = findRevision(repository, name);
	if (id === null) throw fatal(`unknown rev ${name}`);
	const tree = peel(repository, id, 'tree');
	if (tree === null) throw fatal(`${name} is not a tree`);
	return tree;
}
