import { absolute } from '#computer/abi/paths.ts';
import { decode, encode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import { headTree, treeToIndex } from '../diff/sides.ts';
import { cleanMessage } from '../history/commit-message.ts';
import { signedOff } from '../history/trailers.ts';
import { independent, isAncestor, mergeBases } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { applyMerged } from '../merge/apply.ts';
import { mergeMessage } from '../merge/merge-message.ts';
import { mergeTrees } from '../merge/merge-trees.ts';
import { mergeAction, mergeSummary, noteSquash, STOPPED, type MergeHow } from '../merge/merge-outcome.ts';
import { mergeOctopus } from '../merge/octopus.ts';
import { chosenFavour, chosenStrategy } from '../merge/strategy.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { serializeCommit } from '../objects/commit.ts';
import { parseOptions, type Options } from '../options.ts';
import type { Repository } from '../repository.ts';
import { runHook } from '../hooks.ts';
import { forget } from '../sequence/replay.ts';
import { commit } from './commit.ts';
import { resolveCommit, findRevision } from '../refs/revision.ts';
import { switchTree } from '../worktree/checkout.ts';

export const merge: Command = (git, args) => {
	const options = parseOptions('merge [<options>] [<commit>...]', args, {
		message: '-m --message =',
		file: '-F --file =',
		signoff: '--signoff',
		noFastForward: '--no-ff',
		onlyFastForward: '--ff-only',
		fastForward: '--ff',
		abort: '--abort',
		proceed: '--continue',
		quiet: '-q --quiet',
		noEdit: '--no-edit --edit -e',
		noCommit: '--no-commit',
		commit: '--commit',
		squash: '--squash',
		strategy: '-s --strategy =',
		strategyOption: '-X --strategy-option =',
		unrelated: '--allow-unrelated-histories',
		noVerify:
			'--no-verify --no-gpg-sign --no-log --no-squash --autostash --no-autostash --no-signoff --verify --no-rerere-autoupdate',
		quit: '--quit',
		stat: '--stat --no-stat'
	});
	const { repository } = git;
	if (options.has('abort')) {
		if (repository.note('MERGE_HEAD') === null) throw fatal('There is no merge to abort (MERGE_HEAD missing).');
		switchTree(repository, headTree(repository), headTree(repository), true);
		repository.index.save();
		for (const name of ['MERGE_HEAD', 'MERGE_MSG'])
			repository.files.remove(`${repository.gitDir}/${name}`, { force: true });
		return 0;
	}
	if (options.has('quit')) {
		forget(repository, 'MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE');
		return 0;
	}
	if (options.has('proceed')) {
		if (repository.note('MERGE_HEAD') === null) throw fatal('There is no merge in progress (MERGE_HEAD missing).');
		return commit(git, ['--no-edit', '--cleanup=strip']);
	}
	const favour = chosenFavour(options.all('strategyOption'));
	if (options.has('squash') && options.has('noFastForward')) {
		throw fatal("options '--squash' and '--no-ff.' cannot be used together");
	}
	const strategy = chosenStrategy(options.get('strategy'));
	const names = options.operands.length > 0 ? options.operands : ['@{u}'];
	for (const name of names)
		if (findRevision(repository, name) === null) throw new GitError(`merge: ${name} - not something we can merge`, 1);
	return mergeNamed(git, names, {
		message: givenMessage(git, options),
		noFastForward: options.has('noFastForward'),
		onlyFastForward: options.has('onlyFastForward'),
		quiet: options.has('quiet'),
		squash: options.has('squash'),
		noCommit: options.has('noCommit') || options.has('squash'),
		favour,
		keepsOurs: strategy === 'ours',
		unrelated: options.has('unrelated'),
		signoff: options.has('signoff')
	});
};

/** Merges what the names stand for: one commit, or several at once where more than one has something new. */
function mergeNamed(git: Invocation, names: readonly string[], how: Omit<MergeHow, 'id' | 'name'>): number {
	const { repository } = git;
	const given = names.map((name) => ({ name, id: resolveCommit(repository, name) }));
	// What one commit has is found out by merging it.
	if (given.length === 1) return mergeCommit(git, { ...how, ...given[0]! });
	const head = repository.head();
	const left = independent(repository, [...(head === null ? [] : [head]), ...given.map(({ id }) => id)]);
	const wanted = given.filter(({ id }, at) => left.includes(id) && given.findIndex((one) => one.id === id) === at);
	const isMany = head !== null && wanted.filter(({ id }) => id !== head).length > 1;
	if (!isMany || how.keepsOurs) {
		const [only] = [...wanted.filter(({ id }) => id !== head), ...given];
		return mergeCommit(git, { ...how, ...only!, message: how.message ?? mergeMessage(repository, names) });
	}
	checkNothingUnfinished(repository);
	checkNothingStaged(repository, repository.commit(head).tree);
	if (how.onlyFastForward) throw fatal('Not possible to fast-forward, aborting.');
	return mergeOctopus(git, wanted, head, { ...how, message: how.message ?? mergeMessage(repository, names) });
}

/** Message of `-m` and `-F`, signed off where that is wished; undefined where git is to find one. */
function givenMessage(git: Invocation, options: Options<'message' | 'file' | 'signoff'>): string | undefined {
	const file = options.get('file');
	const text = file === undefined ? undefined : decode(git.context.sync.readFile(absolute(file, git.cwd)));
	const said = options.has('message') ? options.all('message').join('\n\n') : text;
	return said !== undefined && options.has('signoff') ? signedOff(git.repository, cleanMessage(said)) : said;
}

/** Merges a commit into the current branch: by moving it, or with a commit of two parents. */
export function mergeCommit(git: Invocation, how: MergeHow): number {
	const { repository } = git;
	checkNothingUnfinished(repository);
	const head = repository.head();
	if (head !== null && isAncestor(repository, how.id, head)) {
		if (!how.quiet) git.out('Already up to date.\n');
		return 0;
	}
	if (head === null || (isAncestor(repository, head, how.id) && !how.noFastForward)) return fastForward(git, how, head);
	if (how.onlyFastForward) throw fatal('Not possible to fast-forward, aborting.');
	const ours = repository.commit(head).tree;
	checkNothingStaged(repository, ours);
	const { conflicts } = mergeInto(git, how, head, ours);
	repository.refs.note('ORIG_HEAD', head);
	const standard = () => mergeMessage(repository, [how.name]);
	const said = cleanMessage(how.message ?? standard());
	const message = how.signoff && how.message === undefined ? signedOff(repository, said) : said;
	const hasConflicts = conflicts.length > 0;
	if (how.squash) noteSquash(git, how.id, head);
	else if (hasConflicts || how.noCommit) {
		const list = conflicts.map(({ path }) => `#\t${path}\n`).join('');
		repository.refs.note('MERGE_HEAD', how.id);
		const text = hasConflicts ? `${message}\n# Conflicts:\n${list}` : message;
		repository.files.writeFile(`${repository.gitDir}/MERGE_MSG`, encode(text));
	}
	if (how.squash && !how.quiet) git.out('Squash commit -- not updating HEAD\n');
	if (hasConflicts) {
		git.out('Automatic merge failed; fix conflicts and then commit the result.\n');
		return 1;
	}
	if (how.squash || how.noCommit) {
		if (!how.quiet) git.err(STOPPED);
		return 0;
	}
	return commitMerge(git, how, head, ours, message);
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
	if (repository.note('MERGE_HEAD') !== null) throw fatal('You have not concluded your merge (MERGE_HEAD exists).');
}

function checkNothingStaged(repository: Repository, tree: string): void {
	const staged = treeToIndex(repository, tree);
	if (staged.length === 0) return;
	const names = staged.map(({ before, after }) => (after ?? before)!.path).join('\n  ');
	throw new GitError(
		`error: Your local changes to the following files would be overwritten by merge:\n  ${names}\nMerge with strategy ort failed.`,
		2
	);
}

/** Moves the branch, or with `--squash` only the index and the files, to a commit that follows it. */
function fastForward(git: Invocation, how: MergeHow, head: string | null): number {
	const { repository } = git;
	const { refs, objects, index } = repository;
	const say = (text: string | Uint8Array) => {
		if (!how.quiet) git.out(text);
	};
	const before = headTree(repository);
	const { tree } = repository.commit(how.id);
	if (head !== null) say(`Updating ${objects.abbreviate(head)}..${objects.abbreviate(how.id)}\n`);
	switchTree(repository, before, tree, false, 'merge');
	index.save();
	if (how.squash && head !== null) {
		noteSquash(git, how.id, head);
		say('Fast-forward\nSquash commit -- not updating HEAD\n');
	} else {
		if (head !== null) refs.note('ORIG_HEAD', head);
		refs.update('HEAD', how.id, `${mergeAction(git, how.name)}: Fast-forward`);
		say('Fast-forward\n');
	}
	say(mergeSummary(git, before, tree));
	return 0;
}

/** Brings their changes into index and files. */
function mergeInto(git: Invocation, how: MergeHow, head: string, ours: string): ReturnType<typeof mergeTrees> {
	const { repository } = git;
	const bases = mergeBases(repository, head, how.id);
	const [base] = bases;
	const common = base === undefined ? 'empty tree' : repository.objects.abbreviate(base);
	const baseName = bases.length > 1 ? 'merged common ancestors' : common;
	if (base === undefined && !how.unrelated) throw fatal('refusing to merge unrelated histories');
	const labels = { ours: 'HEAD', theirs: how.name, base: baseName, favour: how.favour };
	const sides = {
		base: base === undefined ? EMPTY_TREE : repository.commit(base).tree,
		ours,
		theirs: how.keepsOurs ? ours : repository.commit(how.id).tree
	};
	const merged = mergeTrees(repository, sides, labels);
	applyMerged(git, ours, merged, labels);
	return merged;
}

function commitMerge(git: Invocation, how: MergeHow, head: string, ours: string, message: string): number {
	const { repository } = git;
	const { refs, objects, index } = repository;
	const tree = index.writeTree((content) => objects.write('tree', content));
	const commit = {
		tree,
		parents: [head, how.id],
		author: repository.author(),
		committer: repository.committer(),
		message
	};
	const made = `Merge made by the '${how.keepsOurs ? 'ours' : 'ort'}' strategy.`;
	refs.update('HEAD', objects.write('commit', serializeCommit(commit)), `${mergeAction(git, how.name)}: ${made}`);
	index.save();
	if (!how.quiet) git.out(`${made}\n`);
	runHook(git, 'post-merge', ['0']);
	if (!how.quiet) git.out(mergeSummary(git, ours, tree));
	return 0;
}
