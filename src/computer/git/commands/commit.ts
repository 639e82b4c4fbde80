import { agoDate } from '../history/dates.ts';
import { parseDate, withoutCrud } from '../config/identity.ts';
import { mailmapOf } from '../history/mailmap.ts';
import { comparePaths } from '../bytes.ts';
import { compareTrees, pathOf, sortChanges } from '../diff/change.ts';
import { findRenames } from '../diff/renames.ts';
import { STAGING } from '../choosing/choice-mode.ts';
import { chooseHunks } from '../choosing/choose-hunks.ts';
import { fatal } from '../errors.ts';
import { walkHistory } from '../history/walk.ts';
import { runHook } from '../hooks.ts';
import type { Command, Invocation } from '../invocation.ts';
import { newEncoding, serializeCommit, subjectOf, type Commit, type Signature } from '../objects/commit.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { copyRewrittenNotes } from '../notes/rewrite-notes.ts';
import { parseOptions, type Options } from '../options.ts';
import { resolveCommit } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { rememberResolutions } from '../rerere/rerere.ts';
import { applyAutostash, dropAutostash } from '../sequence/autostash.ts';
import { forgetUnderWay } from '../sequence/pick-state.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { PATHSPEC_FILE, namedOrListed } from '../worktree/pathspec-file.ts';
import { computeStatus, type Status } from '../worktree/status.ts';
import { addInteractively } from './add-interactive.ts';
import { add } from './add.ts';
import { indexTree, keepIndex, partialTree, refuseUnmerged, stageNamed } from './commit-content.ts';
import { checkMessageOptions, draftOf, MESSAGE_OPTIONS, newMessage } from './commit-message.ts';
import { EMPTY_AMEND, emptyPick } from './commit-advice.ts';
import { commitNotes } from './commit-notes.ts';
import { commitSummary } from './commit-summary.ts';
import { chosenRenames, showStatus, STATUS_FORMS, untrackedMode } from './status.ts';

const { short: _, ...LONG_FORMS } = STATUS_FORMS;

const OPTIONS = {
	...MESSAGE_OPTIONS,
	...LONG_FORMS,
	short: '--short',
	branch: '--branch',
	untracked: '-u --untracked-files ?',
	all: '-a --all',
	include: '-i --include',
	only: '-o --only',
	quiet: '-q --quiet',
	allowEmpty: '--allow-empty',
	author: '--author =',
	date: '--date =',
	noVerify: '-n --no-verify',
	verify: '--verify',
	noSign: '--no-gpg-sign',
	resetAuthor: '--reset-author',
	dryRun: '--dry-run',
	status: '--status !',
	noPostRewrite: '--no-post-rewrite',
	patch: '-p --patch',
	interactive: '--interactive',
	...PATHSPEC_FILE
};

type CommitOptions = Options<keyof typeof OPTIONS>;

export const commit: Command = async (git, args) => {
	const options = parseOptions('commit [<options>] [--] <pathspec>...', args, OPTIONS);
	requireOneChoice(options);
	const given = namedOrListed(git, options, [...options.operands, ...(options.paths ?? [])]);
	checkOptions(options, given);
	const { repository } = git;
	const putBackIndex = keepIndex(repository);
	if (options.has('all')) await add(git, ['-u', ':/']);
	// The chosen changes are already staged, so the paths are no longer needed.
	const paths = chooseChanges(git, options, given) ? [] : given;
	const plan = planOf(repository, options, paths);
	if (paths.length > 0) stageNamed(repository, paths);
	const isDry =
		options.has('dryRun') || (['short', 'porcelain', 'long', 'zero'] as const).some((one) => options.has(one));
	if (!isDry) refuseUnmerged(git);
	const verifies = !options.has('noVerify') && !isDry;
	if (verifies && !runHook(git, 'pre-commit')) return putBackIndex();
	const tree = plan.isPartial ? partialTree(repository, paths) : indexTree(repository);
	const isUnchanged = tree === plan.before && plan.parents.length < 2;
	const untracked = untrackedMode(repository, options.has('untracked') ? options.get('untracked') || 'all' : undefined);
	const statusNow = () => statusOf(repository, plan, { tree, paths }, untracked);
	const draft = isDry ? null : draftOf(git, options);
	const nothing = plan.amended !== null && isUnchanged ? 'No changes\n' : undefined;
	if (draft === null || (isUnchanged && !options.has('allowEmpty') && !isReword(options))) {
		if (!isDry) repository.index.save();
		showStatus(git, statusNow(), options, untracked, {
			isCommit: true,
			closing: nothing,
			source: plan.amended ? 'HEAD^1' : undefined
		});
		if (isDry) putBackIndex();
		else if (nothing !== undefined) git.err(EMPTY_AMEND);
		else if (plan.isPick) git.err(emptyPick(plan.isRebase, repository.note('sequencer/todo') !== null));
		return isUnchanged || repository.index.unmerged().length > 0 ? 1 : 0;
	}
	const author = chosenAuthor(repository, options, plan.source);
	const committer = repository.committer();
	const isDated = options.has('date') || plan.source !== null;
	const isStatusSet = repository.config.flag('commit.status', true);
	const [isMerge, isVerbose] = [plan.merged.length > 0, options.has('verbose')];
	const message = newMessage(git, options, draft, {
		verifies,
		notes: (mode, mark) => {
			const who = { author, committer, isDated };
			const mayBeEmpty = options.has('allowEmptyMessage');
			const explained = { status: statusNow(), untracked, closing: nothing ?? '', ...who, isMerge, isVerbose };
			const isShown = options.has('status') || (!options.isTakenBack('status') && isStatusSet);
			return commitNotes(repository, { ...explained, mayBeEmpty, isShown }, mode, mark);
		}
	});
	if (message === null) return putBackIndex();
	const encoding = newEncoding(repository.config);
	const made: Commit = { tree, parents: plan.parents, author, committer, message, ...encoding };
	const id = repository.objects.write('commit', serializeCommit(made));
	const replaced = plan.amended && repository.head();
	repository.refs.update('HEAD', id, `commit${plan.kind}: ${subjectOf(message)}`);
	repository.index.save();
	rememberResolutions(git);
	forgetUnderWay(repository);
	runHook(git, 'post-commit');
	if (replaced && !options.has('noPostRewrite'))
		copyRewrittenNotes(repository, 'amend', [[replaced, id]], "Notes added by 'git commit --amend'");
	dropAutostash(git, (stash) => applyAutostash(git, stash));
	if (!options.has('quiet')) git.out(commitSummary(repository, id, made, { dateShown: isDated }));
	return 0;
};

/** Lets the user stage changes in the given paths (`-p`, `--interactive`). Returns false without these options. */
function chooseChanges(git: Invocation, options: CommitOptions, given: readonly string[]): boolean {
	if (options.has('patch')) chooseHunks(git, STAGING, new Pathspec(git.repository, given));
	else if (options.has('interactive')) addInteractively(git, new Pathspec(git.repository, given));
	else return false;
	return true;
}

/** @throws GitError if `--pathspec-from-file` is combined with another way to select changes */
function requireOneChoice(options: CommitOptions): void {
	if (!options.has('from')) return;
	for (const [name, shown] of [
		['patch', '--interactive/--patch'],
		['interactive', '--interactive/--patch'],
		['all', '-a']
	] as const)
		if (options.has(name)) throw fatal(`options '--pathspec-from-file' and '${shown}' cannot be used together`);
}

/** @throws GitError for options that exclude each other */
function checkOptions(options: CommitOptions, paths: readonly string[]): void {
	if (isReword(options)) {
		if (paths.length > 0) throw fatal(`reword option of '--fixup' and path '${paths[0]}' cannot be used together`);
		if ((['patch', 'interactive', 'all', 'include', 'only'] as const).some((one) => options.has(one)))
			throw fatal(
				"reword option of '--fixup' and '--patch/--interactive/--all/--include/--only' cannot be used together"
			);
	}
	checkMessageOptions(options);
	if (options.has('all') && paths.length > 0) throw fatal(`paths '${paths[0]} ...' with -a does not make sense`);
	const needsPaths =
		options.has('include') ||
		(options.has('only') && !options.has('amend') && !options.has('allowEmpty') && !options.has('fixup'));
	if (needsPaths && paths.length === 0) throw fatal('No paths with --include/--only does not make sense.');
}

/** Returns whether the commit only rewords the message of another commit. */
const isReword = (options: CommitOptions): boolean => options.get('fixup')?.startsWith('reword:') === true;

/** Parts of a commit other than its tree and message. */
interface Plan {
	parents: string[];
	/** Commits that are merged. */
	merged: string[];
	/** Tree that the commit is compared with. */
	before: string;
	/** Commit that is replaced. */
	amended: Commit | null;
	/** Commit whose author is reused. */
	source: Commit | null;
	/** Only the named paths are committed; all others stay as in HEAD. */
	isPartial: boolean;
	/** The commit concludes a cherry-pick. */
	isPick: boolean;
	/** The cherry-pick is part of a rebase. */
	isRebase: boolean;
	/** Suffix of the action in the reflog. */
	kind: string;
}

function planOf(repository: Repository, options: CommitOptions, paths: readonly string[]): Plan {
	const head = repository.head();
	const isAmend = options.has('amend');
	const merged = repository.note('MERGE_HEAD')?.trim().split('\n') ?? [];
	const picked = repository.note('CHERRY_PICK_HEAD')?.trim();
	const isPartial = isReword(options) || (paths.length > 0 ? !options.has('include') : options.has('only'));
	// A stopped pick of a rebase is reported as a rebase.
	const isRebase = picked !== undefined && picked === repository.note('REBASE_HEAD')?.trim();
	for (const [isGoing, what] of [
		[merged.length > 0, 'merge'],
		[picked !== undefined, isRebase ? 'rebase' : 'cherry-pick']
	] as const) {
		if (isGoing && isAmend) throw fatal(`You are in the middle of a ${what} -- cannot amend.`);
		if (isGoing && isPartial) throw fatal(`cannot do a partial commit during a ${what}.`);
	}
	if (isAmend && head === null) throw fatal('You have nothing to amend.');
	const amended = isAmend && head !== null ? repository.commit(head) : null;
	const parents = amended ? amended.parents : head === null ? [] : [head, ...merged];
	const reused = options.get('reuse') ?? options.get('reedit');
	const sourceId = reused === undefined ? picked : resolveCommit(repository, reused);
	const source =
		reused === undefined && amended ? amended : sourceId === undefined ? null : repository.commit(sourceId);
	const standard = merged.length > 0 ? ' (merge)' : picked !== undefined ? ' (cherry-pick)' : '';
	return {
		parents,
		merged,
		before: parents[0] === undefined ? EMPTY_TREE : repository.commit(parents[0]).tree,
		amended,
		source: options.has('resetAuthor') ? null : source,
		isPartial,
		isPick: picked !== undefined,
		isRebase,
		kind: isAmend ? ' (amend)' : head === null ? ' (initial)' : standard
	};
}

/** Status for the comments of a commit, in which exactly the changes to be committed are staged. */
function statusOf(
	repository: Repository,
	plan: Plan,
	{ tree, paths }: { tree: string; paths: readonly string[] },
	untracked: 'no' | 'normal' | 'all'
): Status {
	const renames = chosenRenames(repository.config, { has: () => false, get: () => undefined });
	const found = computeStatus(repository, { untracked, renames });
	if (!plan.isPartial && plan.amended === null) return found;
	const changed = compareTrees(repository.objects, plan.before, tree);
	const staged = renames === false ? changed : findRenames(repository, changed, renames);
	if (!plan.isPartial) return { ...found, staged };
	const named = paths.length === 0 ? null : new Pathspec(repository, paths);
	const left = found.staged.filter((change) => !named?.matches(pathOf(change)));
	const added = left.filter(({ status }) => status === 'A').map(pathOf);
	return {
		...found,
		staged,
		unstaged: sortChanges([...found.unstaged, ...left.filter(({ status }) => status !== 'A')]),
		untracked: untracked === 'no' ? [] : [...found.untracked, ...added].sort(comparePaths)
	};
}

function chosenAuthor(repository: Repository, options: Options<'author' | 'date'>, source: Commit | null): Signature {
	const author = { ...(source?.author ?? repository.author()) };
	const given = options.get('author');
	if (given !== undefined) Object.assign(author, namedAuthor(repository, given));
	const date = options.get('date');
	if (date !== undefined) {
		const now = repository.files.now();
		const ago = agoDate(date, now);
		const parsed = parseDate(date) ?? (ago && { ...ago, offsetMinutes: -new Date(now).getTimezoneOffset() || 0 });
		if (!parsed) throw fatal(`invalid date format: ${date}`);
		Object.assign(author, parsed);
	}
	return author;
}

/** Author given as `Name <email>`, or the author of the newest commit whose author contains the text. */
function namedAuthor(repository: Repository, given: string): Pick<Signature, 'name' | 'email'> {
	const [, name, email] = /^(.*?)\s*<(.*)>$/.exec(given) ?? [];
	if (name !== undefined && email !== undefined) return { name: withoutCrud(name), email: withoutCrud(email) };
	const mailmap = mailmapOf(repository);
	const head = repository.head();
	const wanted = given.toLowerCase();
	for (const { commit: made } of walkHistory(repository, { include: head === null ? [] : [head], exclude: [] })) {
		const { name: proper, email: address } = mailmap.mapped(made.author);
		if (`${proper} <${address}>`.toLowerCase().includes(wanted)) return { name: proper, email: address };
	}
	throw fatal(`--author '${given}' is not 'Name <email>' and matches no existing author`);
}
