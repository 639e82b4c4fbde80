import { decode } from '../bytes.ts';
import { parseDate } from '../config/identity.ts';
import { fatal, GitError } from '../errors.ts';
import { absolute } from '../../paths.ts';
import { compareTrees, pathOf } from '../diff/change.ts';
import { countChange, summaryLine } from '../diff/print.ts';
import { findRenames } from '../diff/renames.ts';
import { headTree, treeToIndex } from '../diff/sides.ts';
import { sumLine } from '../diff/stat.ts';
import { cleanMessage } from '../history/commit-message.ts';
import { formatDate } from '../history/dates.ts';
import type { Command, Invocation } from '../invocation.ts';
import { serializeCommit, subjectOf, type Commit } from '../objects/commit.ts';
import { parseOptions } from '../options.ts';
import { resolveCommit } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { longStatus } from '../worktree/long-status.ts';
import { computeStatus } from '../worktree/status.ts';
import { add } from './add.ts';

export const commit: Command = async (git, args) => {
	const options = parseOptions('commit [<options>] [--] <pathspec>...', args, {
		message: '-m --message =',
		file: '-F --file =',
		all: '-a --all',
		quiet: '-q --quiet',
		amend: '--amend',
		noEdit: '--no-edit',
		allowEmpty: '--allow-empty',
		allowEmptyMessage: '--allow-empty-message',
		author: '--author =',
		date: '--date =',
		noVerify: '-n --no-verify',
		signoff: '-s --signoff',
		reuse: '-C --reuse-message =',
		noSign: '--no-gpg-sign',
		resetAuthor: '--reset-author',
		dryRun: '--dry-run',
		verbose: '-v --verbose'
	});
	const { repository } = git;
	const paths = [...options.operands, ...(options.paths ?? [])];
	if (options.has('all') && paths.length > 0) throw fatal(`paths '${paths[0]} ...' with -a does not make sense`);
	if (options.has('all')) await add(git, ['-u', ':/']);
	if (paths.length > 0) {
		refuseOtherStaged(repository, paths);
		await add(git, ['-u', '--', ...paths]);
	}
	const { index } = repository;
	if (index.unmerged().length > 0) {
		git.out(
			index
				.unmerged()
				.map((path) => `U\t${path}\n`)
				.join('')
		);
		throw new GitError(
			'error: Committing is not possible because you have unmerged files.\n' +
				"hint: Fix them up in the work tree, and then use 'git add/rm <file>'\n" +
				'hint: as appropriate to mark resolution and make a commit.\nfatal: Exiting because of an unresolved conflict.',
			128
		);
	}
	const head = repository.head();
	const amend = options.has('amend');
	if (amend && head === null) throw fatal('You have nothing to amend.');
	const previous = amend && head !== null ? repository.commit(head) : null;
	const mergeHead = repository.note('MERGE_HEAD')?.trim().split('\n') ?? [];
	const parents = previous ? previous.parents : head === null ? [] : [head, ...mergeHead];
	const tree = index.writeTree((content) => repository.objects.write('tree', content));
	const parentTree = parents[0] === undefined ? null : repository.commit(parents[0]).tree;
	const unchanged =
		tree === (parentTree ?? headTreeOfNothing(repository)) && mergeHead.length === 0 && parents.length < 2;
	if ((unchanged && !options.has('allowEmpty') && !amend) || options.has('dryRun')) {
		index.save();
		git.out(longStatus(repository, computeStatus(repository), 'normal'));
		return unchanged ? 1 : 0;
	}
	const reused =
		options.get('reuse') === undefined ? previous : repository.commit(resolveCommit(repository, options.get('reuse')!));
	let message = messageOf(
		git,
		options.all('message'),
		options.get('file'),
		reused,
		mergeHead.length > 0 ? { comments: options.has('noEdit') } : null
	);
	const committer = repository.committer();
	if (options.has('signoff'))
		message = `${message.trimEnd()}\n\nSigned-off-by: ${committer.name} <${committer.email}>\n`;
	if (message === '' && !options.has('allowEmptyMessage')) {
		throw new GitError('Aborting commit due to empty commit message.', 1);
	}
	const author = reused && !options.has('resetAuthor') ? reused.author : repository.author();
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
	const made: Commit = { tree, parents, author, committer, message };
	const id = repository.objects.write('commit', serializeCommit(made));
	const kind = amend ? ' (amend)' : head === null ? ' (initial)' : mergeHead.length > 0 ? ' (merge)' : '';
	repository.refs.update('HEAD', id, `commit${kind}: ${subjectOf(message)}`);
	for (const name of ['MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE']) {
		repository.files.remove(`${repository.gitDir}/${name}`, { force: true });
	}
	index.save();
	if (!options.has('quiet')) git.out(commitSummary(repository, id, made, { dateShown: amend || date !== undefined }));
	return 0;
};

const headTreeOfNothing = (repository: Repository) => (repository.head() === null ? headTree(repository) : '');

function messageOf(
	git: Invocation,
	given: string[],
	file: string | undefined,
	reused: Commit | null,
	merging: { comments: boolean } | null
): string {
	if (given.length > 0) return cleanMessage(given.map((text) => text.trimEnd()).join('\n\n'));
	if (file !== undefined) {
		const bytes = file === '-' ? git.input() : git.context.sync.readFile(absolute(file, git.cwd));
		return cleanMessage(decode(bytes));
	}
	if (reused) return reused.message;
	// Without an editor git leaves the list of conflicts in, as comments.
	if (merging) return cleanMessage(git.repository.note('MERGE_MSG') ?? '', !merging.comments);
	throw new GitError('error: there is no editor here; give the message with -m "..." or -F <file>', 1);
}

/** `[main 1a2b3c4] Subject` and what the commit changed. */
export function commitSummary(
	repository: Repository,
	id: string,
	made: Commit,
	options: { dateShown?: boolean } = {}
): string {
	const branch = repository.refs.currentBranch() ?? 'detached HEAD';
	const root = made.parents.length === 0 ? ' (root-commit)' : '';
	let text = `[${branch}${root} ${repository.objects.abbreviate(id)}] ${subjectOf(made.message)}\n`;
	const { author, committer } = made;
	const differs = author.name !== committer.name || author.email !== committer.email;
	if (differs) text += ` Author: ${author.name} <${author.email}>\n`;
	if (options.dateShown) text += ` Date: ${formatDate(author, 'default', 0)}\n`;
	if (made.parents.length > 1) return text;
	const parent = made.parents[0];
	const before = parent === undefined ? null : repository.commit(parent).tree;
	const changes = findRenames(repository, compareTrees(repository.objects, before, made.tree));
	let added = 0;
	let removed = 0;
	for (const change of changes) {
		const { counts } = countChange(repository, change);
		added += counts?.added ?? 0;
		removed += counts?.removed ?? 0;
	}
	return text + sumLine(changes.length, added, removed) + changes.map(summaryLine).join('');
}

/** git commits the named paths from beside the index; here the index is the commit, so nothing else may be in it. */
function refuseOtherStaged(repository: Repository, paths: string[]): void {
	const named = new Pathspec(repository, paths);
	const other = treeToIndex(repository, headTree(repository)).find((change) => !named.matches(pathOf(change)));
	if (!other) return;
	throw fatal(
		`'${pathOf(other)}' is staged too and was not named, which cannot be kept apart here; commit it first, or unstage it with 'git restore --staged ${pathOf(other)}'`
	);
}
