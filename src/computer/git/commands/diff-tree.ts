import { decode } from '../bytes.ts';
import { compareTrees, pathOf, type Change } from '../diff/change.ts';
import { binaryBytes } from '../diff/lines.ts';
import { diffEnds, singleMergeBase } from '../diff/ends.ts';
import { DIFF_OPTIONS, diffFormat, formatHow, scriptFormat, showsChanges } from '../diff/options.ts';
import { combinedHow, mergedChanges, printMerged } from '../diff/merge-patch.ts';
import { selectChanges } from '../diff/select.ts';
import { fatal, GitError } from '../errors.ts';
import { formatCommit } from '../history/format.ts';
import { prettyFormat } from '../history/pretty-name.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions, type Options } from '../options.ts';
import { resolveCommit, resolveTree } from '../refs/revision.ts';
import { splitRevisions } from '../revision-arguments.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { treeFiles } from '../worktree/tree-files.ts';
import { printCompared } from './compared.ts';

/** `git diff-tree`: shows the changes of a commit or between two trees, for scripts. */
export const diffTree: Command = (git, args) => {
	const options = parseOptions('diff-tree [<options>] <tree-ish> [<tree-ish>] [<path>...]', args, OPTIONS);
	const { repository } = git;
	if (options.has('stdin') && options.has('mergeBase'))
		throw fatal("options '--stdin' and '--merge-base' cannot be used together");
	if (options.has('stdin')) return ofStdin(git, options);
	const { revisions, paths } = splitRevisions(repository, options);
	const ends = revisions.flatMap((text) => endsOf(text));
	const [first, second] = ends;
	if (first === undefined || ends.length > 2)
		throw new GitError('usage: git diff-tree [<options>] <tree-ish> [<tree-ish>] [<path>...]', 129);
	const pathspec = new Pathspec(repository, paths);
	const isBased = options.has('mergeBase');
	if (isBased && second === undefined) throw fatal('--merge-base only works with two commits');
	if (second === undefined) return ofCommit(git, resolveCommit(repository, first), pathspec, options);
	const before = isBased
		? singleMergeBase(repository, diffEnds(repository, revisions, (text) => git.err(text)).trees)
		: resolveTree(repository, first);
	const after = resolveTree(repository, second);
	return print(git, compareTrees(repository.objects, before, after, depthOf(options)), pathspec, options, null, before);
};

const OPTIONS = {
	...DIFF_OPTIONS,
	deep: '-r',
	trees: '-t',
	noId: '--no-commit-id',
	root: '--root',
	stdin: '--stdin',
	exitCode: '--exit-code',
	quiet: '--quiet',
	merges: '-m',
	combined: '-c',
	dense: '--cc',
	allPaths: '--combined-all-paths',
	mergeBase: '--merge-base',
	always: '--always',
	verbose: '-v',
	pretty: '--pretty --format ?',
	abbreviateCommit: '--abbrev-commit'
};

type DiffTreeOptions = Options<keyof typeof OPTIONS>;

const endsOf = (text: string): string[] => {
	const [, from, to] = /^(.*?)\.\.(?!\.)(.*)$/.exec(text) ?? [];
	return from === undefined || to === undefined ? [text] : [from || 'HEAD', to || 'HEAD'];
};

/** Returns how deep trees are compared: down to files if recursion is requested or contents are shown. */
function depthOf(options: DiffTreeOptions): 'files' | 'top' | 'both' {
	if (options.has('trees')) return 'both';
	const format = diffFormat(options, false);
	const lists = format.raw || format.nameOnly || format.nameStatus || !showsChanges(format);
	const looks = format.patch || format.stat || options.has('check') || options.has('copiesHarder');
	return options.has('deep') || !lists || looks ? 'files' : 'top';
}

/** Compares the commits or pairs of trees listed on stdin. */
function ofStdin(git: Invocation, options: DiffTreeOptions): number {
	const { repository } = git;
	const pathspec = new Pathspec(repository, [...options.operands, ...(options.paths ?? [])]);
	let code = 0;
	for (const line of decode(git.input()).split('\n')) {
		const [first, second] = line.split(' ');
		if (first === undefined || first === '') continue;
		const isPair = second !== undefined && repository.objects.find(first)?.type === 'tree';
		if (!isPair) code = Math.max(code, ofCommit(git, resolveCommit(repository, first), pathspec, options));
		else {
			const changes = compareTrees(repository.objects, first, resolveTree(repository, second), depthOf(options));
			code = Math.max(code, print(git, changes, pathspec, options, line, first));
		}
	}
	return code;
}

/** Prints the changes of a commit against each of its parents. */
function ofCommit(git: Invocation, id: string, pathspec: Pathspec, options: DiffTreeOptions): number {
	const { repository } = git;
	const commit = repository.commit(id);
	const isCombined = options.has('combined') || options.has('dense');
	if (options.has('allPaths') && !isCombined)
		throw new GitError('fatal: --combined-all-paths makes no sense without -c or --cc', 128);
	if (commit.parents.length > 1 && isCombined) return ofMerge(git, id, pathspec, options);
	if (commit.parents.length > 1 && !options.has('merges')) return 0;
	if (commit.parents.length === 0 && !options.has('root')) return 0;
	const head = headOf(git, id, options);
	let code = 0;
	for (const parent of commit.parents.length === 0 ? [null] : commit.parents) {
		const before = parent === null ? null : repository.commit(parent).tree;
		const changes = compareTrees(repository.objects, before, commit.tree, depthOf(options));
		code = Math.max(code, print(git, changes, pathspec, options, options.has('noId') ? null : head, before));
	}
	return code;
}

/** Prints the combined diff of a merge. */
function ofMerge(git: Invocation, id: string, pathspec: Pathspec, options: DiffTreeOptions): number {
	const { repository } = git;
	const commit = repository.commit(id);
	const since = commit.parents.map((parent) => {
		const before = repository.commit(parent).tree;
		const changes = compareTrees(repository.objects, before, commit.tree, depthOf(options));
		return selectChanges(repository, changes, pathspec, options, { isForPeople: false });
	});
	const merged = mergedChanges(since);
	if (merged.length === 0 && !options.has('always')) return 0;
	const asked = diffFormat(options, options.has('dense'), formatHow(git, false));
	const isRaw = !showsChanges(asked) && !options.has('noPatch');
	const format = {
		...asked,
		raw: asked.raw || isRaw,
		fullIds: asked.fullIds || (options.has('abbrev') ? false : ('raw' as const))
	};
	const how = combinedHow(format, options.has('dense'), options.has('allPaths'));
	const text = printMerged(repository, merged, format, how);
	if (!options.has('noId')) git.out(`${headOf(git, id, options)}${format.zero ? '\0' : '\n'}`);
	git.out(binaryBytes(text));
	return 0;
}

/** Text above a commit's changes: its id, or the commit in the requested format. */
function headOf({ repository }: Invocation, id: string, options: DiffTreeOptions): string {
	if (!options.has('pretty') && !options.has('verbose')) return id;
	const how = {
		...prettyFormat(repository, options.get('pretty') || 'medium'),
		abbreviate: options.has('abbreviateCommit')
	};
	const revision = { id, commit: repository.commit(id) };
	const text = formatCommit(repository, revision, { date: 'default', ...how, decorate: false });
	return showsChanges(scriptFormat(options)) ? `${text}\n` : text;
}

/** Prints changes below a heading, as raw lines unless another format was requested. Returns the exit code. */
function print(
	git: Invocation,
	found: readonly Change[],
	pathspec: Pathspec,
	options: DiffTreeOptions,
	head: string | null,
	before: string | null
): number {
	const { repository } = git;
	const inside = (change: Change) => (options.has('deep') ? [change] : within(change, pathspec));
	const changes = selectChanges(repository, found.flatMap(inside), pathspec, options, {
		isForPeople: false,
		filesBefore: () => (before === null ? new Map() : treeFiles(repository.objects, before))
	});
	const format = scriptFormat(options, formatHow(git, false));
	const hasHead = head !== null && (changes.length > 0 || options.has('always'));
	const heading = hasHead ? `${head}${format.zero ? '\0' : '\n'}` : '';
	return printCompared(git, repository, changes, options, format, heading);
}

const within = (change: Change, pathspec: Pathspec): Change[] =>
	pathspec.isEmpty || pathspec.matches(pathOf(change)) ? [change] : [];
