import { absolute } from '#computer/abi/paths.ts';
import { decode, encode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import { headTree } from '../diff/sides.ts';
import { cleanMessage } from '../history/commit-message.ts';
import { signedOff } from '../history/trailers.ts';
import { independent, isAncestor, mergeBases } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { applyMerged } from '../merge/apply.ts';
import { formatMergeMessage, mergeMessage } from '../merge/merge-message.ts';
import { fetchedForMerge } from '../remote/fetch-head.ts';
import { mergeCommits } from '../merge/merge-commits.ts';
import { rememberResolutions } from '../rerere/rerere.ts';
import { requireUnstaged } from '../merge/require-unstaged.ts';
import { mergeTrees, type Merged } from '../merge/merge-trees.ts';
import { conflictNote, mergeAction, mergeSummary, noteSquash, STOPPED, type MergeHow } from '../merge/merge-outcome.ts';
import { mergeOctopus } from '../merge/octopus.ts';
import { checkedOptions, chosenStrategy, strategyOptions } from '../merge/strategy.ts';
import { serializeCommit } from '../objects/commit.ts';
import { parseOptions, type Options } from '../options.ts';
import { mergeOptions } from './merge-options.ts';
import { MESSAGE_OPTIONS, newMessage } from './commit-message.ts';
import { reset } from './reset.ts';
import { storeStash } from '../stash/stash-list.ts';
import { applyAutostash, AUTOSTASH, dropAutostash, keepAutostash, makeAutostash } from '../sequence/autostash.ts';
import type { Repository } from '../repository.ts';
import { runHook } from '../hooks.ts';
import { forget } from '../sequence/replay.ts';
import { commit } from './commit.ts';
import { resolveCommit, findRevision } from '../refs/revision.ts';
import { placeTracked } from '../worktree/checkout.ts';
import { prefetchTracked } from '../worktree/prefetch-files.ts';
import { switchTree } from '../worktree/switch-tree.ts';
import { EMPTY_TREE, NULL_ID } from '../objects/object.ts';
import { worktreeFiles } from '../worktree/verify-path.ts';
import { mergeIndex } from '../merge/merge-index.ts';

export const merge: Command = async (git, args) => {
	// A lone `-h` prints the usage as an error.
	if (args.length === 1 && args[0] === '-h') throw new GitError('usage: git merge [<options>] [<commit>...]', 129);
	const { repository } = git;
	const chosen = mergeOptions(repository, args);
	const { options } = chosen;
	const action = (['abort', 'proceed', 'quit'] as const).find((name) => options.has(name));
	if (action) return actOnMerge(git, action, args.length);
	const strategy = chosenStrategy(options.get('strategy') ?? repository.config.get('pull.twohead'));
	const given = checkedOptions(options.all('strategyOption'), strategy);
	const isFetched = options.operands.length === 1 && options.operands[0] === 'FETCH_HEAD';
	const fetched = isFetched ? fetchedForMerge(repository) : null;
	if (fetched?.length === 0) return mergeNothing(git);
	const fetchedIds = fetched?.map((line) => line.slice(0, NULL_ID.length));
	const names = fetchedIds ?? (options.operands.length > 0 ? options.operands : ['@{u}']);
	for (const name of names) if (findRevision(repository, name) === null) throw unknown(repository, name);
	const form = { log: chosen.log, into: options.get('intoName') };
	const said = givenMessage(git, options, chosen.signoff);
	const found = fetched
		? formatMergeMessage(repository, fetched.map((line) => `${line}\n`).join(''), form).trimEnd()
		: undefined;
	const how = {
		message: said ?? found,
		...{ noFastForward: chosen.noFastForward, onlyFastForward: chosen.onlyFastForward },
		...{ squash: chosen.squash, noCommit: chosen.noCommit, signoff: chosen.signoff, showsStat: chosen.showsStat },
		quiet: options.has('quiet'),
		form,
		strategyOptions: given,
		autoupdate: options.has('autoupdate') ? true : options.isTakenBack('autoupdate') ? false : undefined,
		keepsOurs: strategy === 'ours',
		isSubtree: strategy === 'subtree',
		unrelated: options.has('unrelated'),
		text: {
			edits: chosen.edits === undefined ? undefined : chosen.edits !== '--no-edit',
			cleanup: options.get('cleanup'),
			verifies: !options.has('noVerify')
		}
	};
	if (!chosen.autostash) return mergeNamed(git, names, how);
	checkNothingUnfinished(repository);
	return mergeStashed(git, makeAutostash(git, AUTOSTASH), how.squash, () => mergeNamed(git, names, how));
};

/** Handles a FETCH_HEAD with nothing to merge. @throws GitError if the branch has no commit yet */
function mergeNothing(git: Invocation): number {
	if (git.repository.head() === null) throw fatal('FETCH_HEAD - not something we can merge');
	git.out('Already up to date.\n');
	return 0;
}

/** Merges while changes are stashed, and restores them unless the merge stops for the user. */
function mergeStashed(git: Invocation, stash: string | null, isSquash: boolean, act: () => number): number {
	const { repository } = git;
	let isOver = true;
	try {
		const code = act();
		isOver = repository.note('MERGE_HEAD') === null && (code === 0 || !isSquash);
		if (!isOver && stash !== null) git.out('When finished, apply stashed changes with `git stash pop`\n');
		if (!isOver && isSquash) dropAutostash(git, (id) => storeStash(repository, id, 'autostash'));
		return code;
	} finally {
		if (isOver) dropAutostash(git, (id) => applyAutostash(git, id));
	}
}

/** Aborts, continues or quits the merge in progress. */
async function actOnMerge(git: Invocation, action: 'abort' | 'proceed' | 'quit', count: number): Promise<number> {
	const { repository } = git;
	const spelling = action === 'proceed' ? '--continue' : `--${action}`;
	if (count > 1)
		throw new GitError(`fatal: ${spelling} expects no arguments\n\nusage: git merge [<options>] [<commit>...]`, 129);
	const isMerging = repository.note('MERGE_HEAD') !== null;
	if (action === 'quit') {
		forget(repository, 'MERGE_HEAD', 'MERGE_RR', 'MERGE_MSG', 'MERGE_MODE', 'AUTO_MERGE');
		dropAutostash(git, (id) => keepAutostash(git, id, 'Autostash exists; creating a new stash entry.'));
		return 0;
	}
	if (action === 'proceed') {
		if (!isMerging) throw fatal('There is no merge in progress (MERGE_HEAD missing).');
		return commit(git, []);
	}
	if (!isMerging) throw fatal('There is no merge to abort (MERGE_HEAD missing).');
	const stash = repository.note(AUTOSTASH)?.trim() ?? null;
	forget(repository, AUTOSTASH);
	const code = await reset(git, ['--merge']);
	applyAutostash(git, stash);
	return code;
}

/** Error for a name that is not a commit; suggests remote-tracking branches of that name. */
function unknown({ refs }: Repository, name: string): GitError {
	const found = refs
		.list('refs/remotes/')
		.filter((ref) => ref.name.replace(/^refs\/remotes\/[^/]+\//, '') === name)
		.map((ref) => ref.name.slice('refs/remotes/'.length));
	const shown = found.map((one) => (refs.resolve(`refs/heads/${one}`) === null ? one : `remotes/${one}`));
	const which = shown.length === 1 ? 'Did you mean this?' : 'Did you mean one of these?';
	const hint = shown.length === 0 ? '' : `\n\n${which}\n${shown.map((one) => `\t${one}`).join('\n')}`;
	return new GitError(`merge: ${name} - not something we can merge${hint}`, 1);
}

/** Merges the named commits: one, or several as an octopus if more than one has new commits. */
function mergeNamed(git: Invocation, names: readonly string[], how: Omit<MergeHow, 'id' | 'name'>): number {
	const { repository } = git;
	const given = names.map((name) => ({ name, id: resolveCommit(repository, name) }));
	// With a single commit, no reduction is needed.
	if (given.length === 1) return mergeCommit(git, { ...how, ...given[0]! });
	const head = repository.head();
	const left = independent(repository, [...(head === null ? [] : [head]), ...given.map(({ id }) => id)]);
	const wanted = given.filter(({ id }, at) => left.includes(id) && given.findIndex((one) => one.id === id) === at);
	const isMany = head !== null && wanted.filter(({ id }) => id !== head).length > 1;
	if (!isMany || how.keepsOurs) {
		const [only] = [...wanted.filter(({ id }) => id !== head), ...given];
		return mergeCommit(git, { ...how, ...only!, message: how.message ?? mergeMessage(repository, names, how.form) });
	}
	checkNothingUnfinished(repository);
	checkNothingStaged(repository, repository.commit(head).tree);
	if (how.onlyFastForward) throw fatal('Not possible to fast-forward, aborting.');
	return mergeOctopus(git, wanted, head, { ...how, message: how.message ?? mergeMessage(repository, names, how.form) });
}

/** Message from `-m` or `-F`, signed off if requested; undefined if neither is given. */
function givenMessage(git: Invocation, options: Options<'message' | 'file'>, signs: boolean): string | undefined {
	const file = options.get('file');
	const text = file === undefined ? undefined : decode(git.context.sync.readFile(absolute(file, git.cwd)));
	const said = options.has('message') ? options.all('message').join('\n\n') : text;
	return said !== undefined && signs ? signedOff(git.repository, cleanMessage(said)) : said;
}

/** Merges a commit into the current branch: by fast-forward, or with a merge commit. */
export function mergeCommit(git: Invocation, how: MergeHow): number {
	const { repository } = git;
	checkNothingUnfinished(repository);
	const head = repository.head();
	if (head !== null && isAncestor(repository, how.id, head)) {
		if (!how.quiet) git.out('Already up to date.\n');
		return 0;
	}
	if (head === null || (isAncestor(repository, head, how.id) && !how.noFastForward && !how.keepsOurs && !how.isSubtree))
		return fastForward(git, how, head);
	if (how.onlyFastForward) throw fatal('Not possible to fast-forward, aborting.');
	const ours = repository.commit(head).tree;
	checkNothingStaged(repository, ours);
	const { isClean, conflicts } = mergeInto(git, how, head, ours);
	repository.refs.note('ORIG_HEAD', head);
	const standard = () => mergeMessage(repository, [how.name], how.form);
	const said = cleanMessage(how.message ?? standard());
	const message = how.signoff && how.message === undefined ? signedOff(repository, said) : said;
	const hasConflicts = !isClean;
	const write = (name: string, text: string) =>
		repository.files.writeFile(`${repository.gitDir}/${name}`, encode(text));
	const note = hasConflicts
		? conflictNote(repository, [...new Set(conflicts.map(({ path }) => path))], how.text?.cleanup)
		: '';
	if (how.squash) {
		noteSquash(git, [how.id], head);
		if (hasConflicts) write('MERGE_MSG', note);
	} else if (hasConflicts || how.noCommit) noteMerge(repository, how, message + note);
	if (how.squash && !how.quiet) git.out('Squash commit -- not updating HEAD\n');
	if (hasConflicts) {
		rememberResolutions(git, how.autoupdate);
		git.out('Automatic merge failed; fix conflicts and then commit the result.\n');
		return 1;
	}
	if (how.squash || how.noCommit) {
		if (!how.quiet) git.err(STOPPED);
		return 0;
	}
	return commitMerge(git, how, head, ours, message);
}

/** Saves the state that a commit needs to conclude a merge. */
function noteMerge(repository: Repository, how: MergeHow, message: string): void {
	repository.refs.note('MERGE_HEAD', how.id);
	repository.files.writeFile(`${repository.gitDir}/MERGE_MSG`, encode(message));
	repository.files.writeFile(`${repository.gitDir}/MERGE_MODE`, encode(how.noFastForward ? 'no-ff' : ''));
}

export function checkNothingUnfinished(repository: Repository): void {
	if (repository.index.unmerged().length > 0) {
		throw new GitError(
			'error: Merging is not possible because you have unmerged files.\n' +
				"hint: Fix them up in the work tree, and then use 'git add/rm <file>'\n" +
				'hint: as appropriate to mark resolution and make a commit.\nfatal: Exiting because of an unresolved conflict.',
			128
		);
	}
	for (const [file, what] of [
		['MERGE_HEAD', 'merge'],
		['CHERRY_PICK_HEAD', 'cherry-pick']
	] as const) {
		if (repository.note(file) === null) continue;
		const isAdvised = repository.config.flag('advice.resolveconflict', true);
		const advice = isAdvised ? '\nPlease, commit your changes before you merge.' : '';
		throw fatal(`You have not concluded your ${what} (${file} exists).${advice}`);
	}
}

const checkNothingStaged = (repository: Repository, tree: string): void =>
	requireUnstaged(repository, tree, '\nMerge with strategy ort failed.');

/** Fast-forwards the branch, or with `--squash` only the index and worktree. */
function fastForward(git: Invocation, how: MergeHow, head: string | null): number {
	const { repository } = git;
	const { refs, objects, index } = repository;
	const say = (text: string | Uint8Array) => {
		if (!how.quiet) git.out(text);
	};
	const before = headTree(repository);
	const { tree } = repository.commit(how.id);
	if (head !== null) say(`Updating ${objects.abbreviate(head)}..${objects.abbreviate(how.id)}\n`);
	if (head === null) readFirst(repository, tree);
	else switchTree(repository, before, tree, { verb: 'merge' });
	index.save();
	if (how.squash && head !== null) {
		noteSquash(git, [how.id], head);
		say('Fast-forward\nSquash commit -- not updating HEAD\n');
	} else {
		if (head !== null) refs.note('ORIG_HEAD', head);
		refs.update('HEAD', how.id, head === null ? 'initial pull' : `${mergeAction(git, how.name)}: Fast-forward`);
		say('Fast-forward\n');
	}
	runHook(git, 'post-merge', [how.squash ? '1' : '0']);
	if (how.showsStat !== false) say(mergeSummary(git, before, tree));
	return 0;
}

/** Checks out the first commit, keeping staged files. @throws GitError if a file would be overwritten */
function readFirst(repository: Repository, tree: string): void {
	const how = { update: true, reset: false, aggressive: false, indexOnly: false };
	// Reject a tree with unsafe paths before writing any of its files.
	worktreeFiles(repository.objects, tree);
	try {
		const { entries, write } = mergeIndex(repository, [EMPTY_TREE, tree], how);
		repository.index.replace(entries);
		prefetchTracked(
			repository,
			write.map((entry) => [entry.path, entry])
		);
		for (const entry of write) repository.index.set(placeTracked(repository, entry.path, entry, undefined));
	} catch (error) {
		if (error instanceof GitError) throw new GitError(`${error.message.trimEnd()}\nfatal: read-tree failed`, 128);
		throw error;
	}
}

/** Merges the other side's changes into the index and worktree. */
function mergeInto(git: Invocation, how: MergeHow, head: string, ours: string): Merged {
	const options = strategyOptions(how.strategyOptions);
	const sides = { ours: 'HEAD', theirs: how.name };
	const isRelated = mergeBases(git.repository, head, how.id).length > 0;
	if (!isRelated && !how.unrelated) throw fatal('refusing to merge unrelated histories');
	const merged = how.keepsOurs
		? mergeTrees(git, { base: ours, ours, theirs: ours }, sides)
		: mergeCommits(git, head, how.id, { ...sides, options });
	applyMerged(git, ours, merged);
	return merged;
}

function commitMerge(git: Invocation, how: MergeHow, head: string, ours: string, message: string): number {
	const { repository } = git;
	const text = how.text ?? { verifies: true };
	if (text.verifies && !runHook(git, 'pre-merge-commit')) {
		noteMerge(repository, how, message);
		return 1;
	}
	const { refs, objects, index } = repository;
	const tree = index.writeTree((content) => objects.write('tree', content));
	index.save();
	const said = editedMessage(git, how, message);
	if (said === null) return 1;
	const people = { author: repository.author(), committer: repository.committer() };
	const made = `Merge made by the '${how.keepsOurs ? 'ours' : how.isSubtree ? 'subtree' : 'ort'}' strategy.`;
	const id = objects.write('commit', serializeCommit({ tree, parents: [head, how.id], ...people, message: said }));
	refs.update('HEAD', id, `${mergeAction(git, how.name)}: ${made}`);
	forget(repository, 'MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE');
	index.save();
	if (!how.quiet) git.out(`${made}\n`);
	runHook(git, 'post-merge', ['0']);
	if (!how.quiet && how.showsStat !== false) git.out(mergeSummary(git, ours, tree));
	return 0;
}

/** Message as edited by the user and hooks; null if a hook rejects it, with the state saved for a later commit. */
function editedMessage(git: Invocation, how: MergeHow, message: string): string | null {
	const { repository } = git;
	const { edits = false, cleanup, verifies } = how.text ?? { verifies: true };
	const given = [edits ? '--edit' : '--no-edit', ...(cleanup === undefined ? [] : [`--cleanup=${cleanup}`])];
	const options = parseOptions('commit', given, MESSAGE_OPTIONS);
	noteMerge(repository, how, message);
	const draft = { text: message, source: ['merge'], isEdited: edits };
	return newMessage(git, options, draft, {
		verifies,
		notes: (_, mark) => EDIT_NOTE.replace(/^/gm, `${mark} `).replace(/^(.) $/gm, '$1')
	});
}

const EDIT_NOTE = `
Please enter a commit message to explain why this merge is necessary,
especially if it merges an updated upstream into a topic branch.

Lines starting with '#' will be ignored, and an empty message aborts
the commit.
`;
