import { parseDate } from '../config/identity.ts';
import { fatal, GitError } from '../errors.ts';
import { headTree } from '../diff/sides.ts';
import type { Command, Invocation } from '../invocation.ts';
import { newEncoding, serializeCommit, subjectOf, type Commit, type Signature } from '../objects/commit.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { parseOptions, type Options } from '../options.ts';
import { resolveCommit } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { forget } from '../sequence/replay.ts';
import { longStatus } from '../worktree/long-status.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { computeStatus } from '../worktree/status.ts';
import { entriesOf, treeFiles } from '../worktree/tree-files.ts';
import { buildTrees } from '../index/write-tree.ts';
import { decode, encode } from '../bytes.ts';
import { cleanMessage } from '../history/commit-message.ts';
import { runHook } from '../hooks.ts';
import { add } from './add.ts';
import { MESSAGE_OPTIONS, newMessage } from './commit-message.ts';
import { commitSummary } from './commit-summary.ts';

const OPTIONS = {
	...MESSAGE_OPTIONS,
	all: '-a --all',
	include: '-i --include',
	only: '-o --only',
	quiet: '-q --quiet',
	amend: '--amend',
	allowEmpty: '--allow-empty',
	allowEmptyMessage: '--allow-empty-message',
	author: '--author =',
	date: '--date =',
	noVerify: '-n --no-verify',
	verify: '--verify',
	noSign: '--no-gpg-sign',
	resetAuthor: '--reset-author',
	dryRun: '--dry-run',
	verbose: '-v --verbose',
	patch: '-p --patch --interactive'
};

export const commit: Command = async (git, args) => {
	const options = parseOptions('commit [<options>] [--] <pathspec>...', args, OPTIONS);
	if (options.has('patch'))
		throw fatal('hunks cannot be chosen here: name the files, or write the version to commit first');
	const { repository } = git;
	const paths = [...options.operands, ...(options.paths ?? [])];
	if (options.has('all') && paths.length > 0) throw fatal(`paths '${paths[0]} ...' with -a does not make sense`);
	const putBackIndex = keepIndex(repository);
	if (options.has('all')) await add(git, ['-u', ':/']);
	const merging = repository.note('MERGE_HEAD') !== null;
	const partial = paths.length > 0 && !options.has('include');
	if (partial && merging) throw fatal('cannot do a partial commit during a merge.');
	if (paths.length > 0) await addNamed(git, paths);
	refuseUnmerged(git);
	const verifies = !options.has('noVerify') && !options.has('dryRun');
	if (verifies && !runHook(git, 'pre-commit')) return putBackIndex();
	const head = repository.head();
	const amend = options.has('amend');
	if (amend && head === null) throw fatal('You have nothing to amend.');
	if (amend && merging) throw fatal('You are in the middle of a merge -- cannot amend.');
	const previous = amend && head !== null ? repository.commit(head) : null;
	const mergeHeads = repository.note('MERGE_HEAD')?.trim().split('\n') ?? [];
	const parents = previous ? previous.parents : head === null ? [] : [head, ...mergeHeads];
	const tree = partial ? partialTree(repository, paths) : indexTree(repository);
	const parentTree = parents[0] === undefined ? EMPTY_TREE : repository.commit(parents[0]).tree;
	const unchanged = tree === parentTree && parents.length < 2;
	const early = options.has('file') ? newMessage(git, options, null) : null;
	if ((unchanged && !options.has('allowEmpty') && !amend) || options.has('dryRun')) {
		repository.index.save();
		const text = longStatus(repository, computeStatus(repository), 'normal');
		git.out(head === null ? text.replace('\nNo commits yet\n', '\nInitial commit\n') : text);
		return unchanged ? 1 : 0;
	}
	const reuse = options.get('reuse');
	const reused = reuse === undefined ? previous : repository.commit(resolveCommit(repository, reuse));
	const message = messageByHooks(git, early ?? newMessage(git, options, reused), options, verifies);
	if (message === null) return putBackIndex();
	if (message === '' && !options.has('allowEmptyMessage')) {
		throw new GitError('Aborting commit due to empty commit message.', 1);
	}
	const picked = repository.note('CHERRY_PICK_HEAD')?.trim();
	const source = reused ?? (picked === undefined ? null : repository.commit(picked));
	const author = chosenAuthor(repository, options, options.has('resetAuthor') ? null : source);
	const encoding = newEncoding(repository.config);
	const made: Commit = { tree, parents, author, committer: repository.committer(), message, ...encoding };
	const id = repository.objects.write('commit', serializeCommit(made));
	const standard = mergeHeads.length > 0 ? ' (merge)' : picked !== undefined ? ' (cherry-pick)' : '';
	const kind = amend ? ' (amend)' : head === null ? ' (initial)' : standard;
	repository.refs.update('HEAD', id, `commit${kind}: ${subjectOf(message)}`);
	forget(repository, 'MERGE_HEAD', 'MERGE_MSG', 'SQUASH_MSG', 'MERGE_MODE', 'CHERRY_PICK_HEAD', 'REVERT_HEAD');
	repository.index.save();
	const dateShown = options.has('date') || (source !== null && !options.has('resetAuthor'));
	runHook(git, 'post-commit');
	if (!options.has('quiet')) git.out(commitSummary(repository, id, made, { dateShown }));
	return 0;
};

/** Adds the named files that are in the index, as they are now. */
async function addNamed(git: Invocation, paths: string[]): Promise<void> {
	const { repository } = git;
	requireTracked(repository, paths);
	const indexed = repository.index.entries().map(({ path }) => path);
	const there = paths.filter((path) => new Pathspec(repository, [path]).unmatched(indexed) === undefined);
	if (there.length > 0) await add(git, ['-u', '--', ...there]);
}

/** Lets a commit that a hook refuses leave the index as it was before `-a` or named paths. Gives the exit code. */
function keepIndex(repository: Repository): () => number {
	const path = repository.indexPath;
	const before = repository.files.statOrNull(path) ? repository.files.readFile(path) : null;
	return () => {
		if (before) repository.files.writeFile(path, before);
		else repository.files.remove(path, { force: true });
		repository.reopenIndex();
		return 1;
	};
}

/** The message as the hooks leave it; null when one of them refuses it. */
function messageByHooks(
	git: Invocation,
	message: string,
	options: Options<keyof typeof OPTIONS>,
	verifies: boolean
): string | null {
	const { files, gitDir } = git.repository;
	const path = `${gitDir}/COMMIT_EDITMSG`;
	files.writeFile(path, encode(message));
	const source =
		options.has('message') || options.has('file') ? ['message'] : options.has('amend') ? ['commit', 'HEAD'] : [];
	if (!runHook(git, 'prepare-commit-msg', ['.git/COMMIT_EDITMSG', ...source])) return null;
	if (verifies && !runHook(git, 'commit-msg', ['.git/COMMIT_EDITMSG'])) return null;
	const left = decode(files.readFile(path));
	return left === message ? message : cleanMessage(left);
}

function refuseUnmerged(git: Invocation): void {
	const unmerged = git.repository.index.unmerged();
	if (unmerged.length === 0) return;
	git.out(unmerged.map((path) => `U\t${path}\n`).join(''));
	throw new GitError(
		'error: Committing is not possible because you have unmerged files.\n' +
			"hint: Fix them up in the work tree, and then use 'git add/rm <file>'\n" +
			'hint: as appropriate to mark resolution and make a commit.\nfatal: Exiting because of an unresolved conflict.',
		128
	);
}

function requireTracked(repository: Repository, paths: string[]): void {
	const known = [...repository.index.entries().map(({ path }) => path), ...headFiles(repository).keys()];
	const missing = new Pathspec(repository, paths).unmatched(known);
	if (missing !== undefined)
		throw new GitError(`error: pathspec '${missing}' did not match any file(s) known to git`, 1);
}

const headFiles = (repository: Repository) => treeFiles(repository.objects, headTree(repository));

function indexTree(repository: Repository): string {
	return repository.index.writeTree((content) => repository.objects.write('tree', content));
}

/** HEAD's tree with the named paths as the index has them: what else is staged waits for its own commit. */
function partialTree(repository: Repository, paths: string[]): string {
	const named = new Pathspec(repository, paths);
	const files = headFiles(repository);
	for (const path of [...files.keys()]) if (named.matches(path)) files.delete(path);
	for (const entry of repository.index.entries()) {
		if (named.matches(entry.path) && !entry.intentToAdd) files.set(entry.path, { mode: entry.mode, id: entry.id });
	}
	return buildTrees(entriesOf(files), (content) => repository.objects.write('tree', content)).id;
}

function chosenAuthor(repository: Repository, options: Options<'author' | 'date'>, source: Commit | null): Signature {
	const author = { ...(source?.author ?? repository.author()) };
	const given = options.get('author');
	if (given !== undefined) {
		const match = /^(.*?)\s*<(.*)>$/.exec(given);
		if (!match) throw fatal(`--author '${given}' is not 'Name <email>' and matches no existing author`);
		author.name = match[1]!;
		author.email = match[2]!;
	}
	const date = options.get('date');
	if (date !== undefined) {
		const parsed = parseDate(date);
		if (!parsed) throw fatal(`invalid date format: ${date}`);
		Object.assign(author, parsed);
	}
	return author;
}
