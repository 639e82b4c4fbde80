import { absolute } from '#computer/abi/paths.ts';
import { capturedOutput } from '../captured-output.ts';
import { runChild } from '../child.ts';
import { decode, encode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { Mode } from '#environment/mode.ts';
import { serializeCommit } from '../objects/commit.ts';
import { NULL_ID } from '../objects/object.ts';
import { serializeTree } from '../objects/tree.ts';
import { applyChanges } from '../refs/ref-transaction.ts';
import { findRevision, peel } from '../refs/revision.ts';
import { parseRewrite, type RewriteOptions } from '../rewrite/filters.ts';
import { RewriteFiles, type Listed } from '../rewrite/rewrite-files.ts';
import { rewriteScript } from '../rewrite/rewrite-script.ts';
import { commitTags, renameTag, updateHead, type Head } from '../rewrite/rewritten-refs.ts';
import { readTree } from './read-tree.ts';
import { revList } from './rev-list.ts';
import { revParse } from './rev-parse.ts';
import { uncommittedFaults } from '../worktree/uncommitted.ts';

/** Ends the command with a message after the line that shows the progress. */
const stop = (message: string): GitError => new GitError(`\n${message}`, 1);

/** `git filter-branch`: rewrites all commits of branches with commands of the user. */
export const filterBranch: Command = (git, args) => {
	const { repository } = git;
	// git also warns here and waits ten seconds; its advice is to use a program that the sandbox does not have.
	if (!repository.isBare && repository.prefix !== '')
		throw new GitError('You need to run this command from the toplevel of the working tree.', 1);
	const options = parseRewrite(args);
	if (!repository.isBare) requireClean(git);
	const directory = absolute(options.directory, git.cwd);
	const files = new RewriteFiles(repository, directory);
	if (options.isForced) files.remove();
	else if (repository.files.statOrNull(directory)?.kind === 'directory')
		throw stop(`${options.directory} already exists, please remove it`);
	files.create();
	try {
		return rewrite(git, options, files);
	} finally {
		files.remove();
	}
};

function rewrite(git: Invocation, options: RewriteOptions, files: RewriteFiles): number | Promise<number> {
	const { repository } = git;
	listRefs(git, files);
	leaveOriginals(git, options);
	const heads = headsOf(git, options);
	const state = readState(git, options, files);
	const selection = selectionOf(git, options);
	const listed = listedCommits(git, selection);
	if (listed.length === 0) throw new GitError('Found nothing to rewrite', 2);
	files.list(
		'commits',
		listed.map(({ id }) => id)
	);
	for (const one of listed) if (!files.isMapped(one.id)) files.give(one, options.subdirectory);
	const known = new Set(listed.map(({ id }) => id));
	files.list('ancestors', selection.movesToAncestors ? ancestorLines(git, heads, selection, known) : []);
	files.list(
		'tags',
		commitTags(repository).map(({ name, commit }) => `${commit} ${name}`)
	);
	const code = runFilters(git, options, files, listed.length);
	if (code !== 0 || !files.has('finished')) return code;
	repository.objects.reopen();
	git.out('\n');
	for (const head of heads) updateHead(git, head, files, options);
	for (const line of files.lines('new-tags')) {
		const [from = '', to = ''] = line.split(' ');
		renameTag(git, from, to, files);
	}
	if (options.stateBranch !== null) saveState(git, options.stateBranch, state, files);
	return repository.isBare ? 0 : checkOutHead(git);
}

/** Runs the script of a rewrite in the shell. Returns its exit code. */
function runFilters(git: Invocation, options: RewriteOptions, files: RewriteFiles, count: number): number {
	const env = {
		GIT_DIR: git.repository.gitDir,
		GIT_WORK_TREE: '.',
		GIT_INDEX_FILE: `${files.directory}/index`,
		workdir: files.tree
	};
	return runChild(git, rewriteScript(options, count), [], { cwd: files.tree, env });
}

/** Updates the working tree to the rewritten commit. */
function checkOutHead(git: Invocation): number | Promise<number> {
	git.repository.reopenIndex();
	return git.repository.head() === null ? 0 : readTree(git, ['-u', '-m', 'HEAD']);
}

function requireClean(git: Invocation): void {
	const { repository } = git;
	if (repository.head() === null) throw fatal('Needed a single revision');
	const faults = uncommittedFaults(repository, 'Cannot rewrite branches');
	for (const fault of faults) git.err(`${fault.replace(/^a/, 'A')}\n`);
	if (faults.length > 0) throw new GitError('', 1);
}

/** Writes all references to a file that filters can read. */
function listRefs({ repository }: Invocation, files: RewriteFiles): void {
	const lines = repository.refs
		.list('refs/')
		.map(({ name, id }) => `${id} ${repository.objects.find(id)?.type ?? 'missing'}\t${name}`);
	files.list('backup-refs', lines);
}

/** Removes the original references of an earlier rewrite. @throws GitError without `--force` */
function leaveOriginals({ repository }: Invocation, { original, isForced }: RewriteOptions): void {
	const left = repository.refs.list(original);
	if (left.length > 0 && !isForced)
		throw stop(
			`Cannot create a new backup.\nA previous backup already exists in ${original}\nForce overwriting the backup with -f`
		);
	const how = { message: '', createsLog: false };
	for (const { name, id } of left) applyChanges(repository, [{ name, to: NULL_ID, from: id, isDirect: true }], how);
}

const linesOf = (text: string): string[] => text.split('\n').filter(Boolean);

/** References to rewrite. @throws GitError if the arguments name none */
function headsOf(git: Invocation, { rest }: RewriteOptions): Head[] {
	const { repository } = git;
	const fixed = ['--no-flags', '--revs-only', '--symbolic-full-name', '--default', 'HEAD'];
	const names = new Set(linesOf(capturedOutput(git, revParse, [...fixed, ...rest])));
	const heads: Head[] = [];
	for (const name of names) {
		if (name.startsWith('^')) continue;
		const id = findRevision(repository, name);
		const commit = id === null ? null : peel(repository, id, 'commit');
		if (commit === null) git.err(`WARNING: not rewriting '${name}' (not a committish)\n`);
		else heads.push({ name, commit });
	}
	if (heads.length === 0) throw stop('You must specify a ref to rewrite.');
	return heads;
}

/** Commits to rewrite, as arguments for rev-list. */
interface Selection {
	revisions: string[];
	/** Paths, with `--` before them, and other options. */
	others: string[];
	movesToAncestors: boolean;
}

function selectionOf(git: Invocation, { rest, subdirectory, movesToAncestors }: RewriteOptions): Selection {
	const others = linesOf(capturedOutput(git, revParse, ['--no-revs', ...rest]));
	const found = linesOf(capturedOutput(git, revParse, ['--revs-only', ...rest])).filter((text) => text !== '--');
	const below = subdirectory === null ? [] : [...(others.length === 0 ? ['--'] : []), subdirectory];
	const isNamed = found.some((text) => !text.startsWith('-'));
	return {
		revisions: isNamed ? found : [...found, 'HEAD'],
		others: [...others, ...below],
		movesToAncestors: movesToAncestors || others.length > 0
	};
}

/** Commits to rewrite, oldest first. */
function listedCommits(git: Invocation, { revisions, others }: Selection): Listed[] {
	const order = ['--reverse', '--topo-order', '--parents', '--simplify-merges'];
	return linesOf(capturedOutput(git, revList, [...order, ...revisions, ...others])).map((line) => {
		const [id = '', ...parents] = line.split(' ');
		return { id, parents };
	});
}

/** Nearest listed ancestors of references whose own commits are not listed. */
function ancestorLines(
	git: Invocation,
	heads: readonly Head[],
	{ others }: Selection,
	known: ReadonlySet<string>
): string[] {
	return heads.flatMap(({ commit }) => {
		if (known.has(commit)) return [];
		const [ancestor] = linesOf(capturedOutput(git, revList, ['--simplify-merges', '-1', commit, ...others]));
		return ancestor === undefined ? [] : [`${commit} ${ancestor}`];
	});
}

const STATE_FILE = 'filter.map';

/** Reads the map of an earlier rewrite. Returns the commit that stores it; null if there is none. */
function readState(git: Invocation, { stateBranch }: RewriteOptions, files: RewriteFiles): string | null {
	if (stateBranch === null) return null;
	const { repository } = git;
	const commit = findRevision(repository, stateBranch);
	if (commit === null) {
		git.err(`Branch ${stateBranch} does not exist. Will create\n`);
		return null;
	}
	git.err(`Populating map from ${stateBranch} (${commit})\n`);
	const blob = findRevision(repository, `${commit}:${STATE_FILE}`);
	const lines = blob === null ? null : linesOf(decode(repository.objects.read(blob, 'blob')));
	const pairs = lines?.map((line) => /^([0-9a-f]{40}):([0-9a-f]{40})?$/.exec(line));
	if (!pairs?.every((pair) => pair !== null)) throw stop(`Unable to load state from ${stateBranch}:${STATE_FILE}`);
	for (const pair of pairs) files.map(pair[1]!, pair[2] ?? '');
	return commit;
}

/** Stores the map of rewritten commits on a branch, so that a later rewrite can continue from it. */
function saveState(git: Invocation, branch: string, before: string | null, files: RewriteFiles): void {
	const { repository } = git;
	const { objects } = repository;
	git.err(`Saving rewrite state to ${branch}\n`);
	const map = files.wholeMap().map(({ from, to }) => `${from}:${to}\n`);
	const blob = objects.write('blob', encode(map.join('')));
	const commit = serializeCommit({
		tree: objects.write('tree', serializeTree([{ mode: Mode.file, name: STATE_FILE, id: blob }])),
		parents: before === null ? [] : [before],
		author: repository.author(),
		committer: repository.committer(),
		message: 'Sync\n'
	});
	const name = branch.startsWith('refs/') ? branch : `refs/heads/${branch}`;
	const change = { name, to: objects.write('commit', commit), from: null, isDirect: false };
	applyChanges(repository, [change], { message: '', createsLog: false });
}
