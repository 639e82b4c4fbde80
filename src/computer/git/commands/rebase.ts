import { headTree, indexToWorktree, treeToIndex } from '../diff/sides.ts';
import { fatal, GitError } from '../errors.ts';
import { patchText } from '../history/patch-text.ts';
import { ancestors, forkPoint, mergeBases, walkHistory } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { chosenFavour, chosenStrategy } from '../merge/strategy.ts';
import { serializeCommit } from '../objects/commit.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { expandRef } from '../refs/named-ref.ts';
import { findRevision, resolveCommit } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { applyAutostash, makeAutostash } from '../sequence/autostash.ts';
import { abortRebase, continueRebase, skipRebase, startRebase } from '../sequence/rebase.ts';
import { endRebase, loadRebase, rebaseInProgress, saveRebase } from '../sequence/rebase-state.ts';
import { autosquashed, editSteps, pickStep, withCommands, type RebaseStep } from '../sequence/rebase-steps.ts';
import { switchBranch } from './switch.ts';

const USAGE = 'rebase [-i] [options] [--onto <newbase>] [<upstream> [<branch>]]';

const OPTIONS = {
	onto: '--onto =',
	proceed: '--continue',
	abort: '--abort',
	skip: '--skip',
	quit: '--quit',
	edit: '--edit-todo',
	interactive: '-i --interactive',
	exec: '-x --exec =',
	rebaseMerges: '-r --rebase-merges ?',
	root: '--root',
	quiet: '-q --quiet',
	autostash: '--autostash',
	noAutostash: '--no-autostash',
	force: '-f --force-rebase --no-ff',
	verbose: '-v --verbose --stat --no-stat -n',
	autosquash: '--autosquash',
	noAutosquash: '--no-autosquash',
	noKeepEmpty: '--no-keep-empty',
	keepEmpty: '-k --keep-empty',
	empty: '--empty =',
	strategy: '-s --strategy =',
	strategyOption: '-X --strategy-option =',
	signoff: '--signoff',
	forkPoint: '--fork-point',
	noForkPoint: '--no-fork-point',
	reapply: '--reapply-cherry-picks',
	keepBase: '--keep-base',
	// Both backends of git give the same commits; ours is one.
	backend: '-m --merge --apply',
	noEdit:
		'--no-edit --verify --no-verify --no-gpg-sign --no-reapply-cherry-picks --no-root --no-rerere-autoupdate --no-signoff'
};

const parse = (args: readonly string[]) => parseOptions(USAGE, args, OPTIONS);
type RebaseOptions = ReturnType<typeof parse>;

/** Commits to replay, and where to. */
interface Range {
	/** Commit whose history is left out; null with `--root`. */
	base: string | null;
	onto: string;
	/** `onto` as given. */
	ontoName: string;
	head: string;
	/** Full name of the current branch; null when HEAD is detached. */
	branch: string | null;
}

export const rebase: Command = async (git, args) => {
	const options = parse(args);
	const { repository } = git;
	if (options.has('rebaseMerges'))
		throw fatal('cannot recreate merges here: rebase a branch without merges, or merge instead');
	const action = actionOf(options);
	const isRunning = rebaseInProgress(repository);
	if (action) {
		if (!isRunning) throw fatal('No rebase in progress?');
		return action(git);
	}
	if (isRunning) refuseSecond(repository);
	const previous = (text: string) => (text === '-' ? '@{-1}' : text);
	const operands = options.operands.map(previous);
	const [given, branch] = options.has('root') ? [undefined, operands[0]] : operands;
	const upstream = given ?? (options.has('root') ? null : ownUpstream(git));
	if (upstream === '') return 1;
	if (chosenStrategy(options.get('strategy')) === 'ours')
		throw fatal('-s ours would leave out all changes of a rebase');
	checkCommands(options.all('exec'));
	const favour = chosenFavour(options.all('strategyOption'));
	const tip = branch === undefined ? 'HEAD' : (ownName(repository, branch) ?? branch);
	const isForked = options.has('forkPoint') || (given === undefined && !options.has('root'));
	const target = findTarget(git, options, { upstream, tip, isForked: isForked && !options.has('noForkPoint') });
	const wantsAutostash = options.has('autostash') || repository.config.flag('rebase.autostash', false);
	const autostash = wantsAutostash && !options.has('noAutostash') ? await makeAutostash(git) : null;
	refuseChanges(repository);
	if (branch !== undefined && branch !== repository.refs.currentBranch()) {
		const detach = repository.refs.resolve(`refs/heads/${branch}`) === null ? ['--detach'] : [];
		const code = await switchBranch(git, ['-q', ...detach, branch]);
		if (code !== 0) return code;
	}
	const head = repository.head();
	if (head === null) throw fatal('your current branch does not have any commits yet');
	const range: Range = { ...target, head, branch: repository.refs.symbolic('HEAD') };
	const isMadeAnew = options.has('force') || options.has('signoff');
	const isForced = isMadeAnew || options.has('interactive') || options.has('exec') || target.isRoot;
	if (isUpToDate(repository, range)) {
		const forced = isForced ? ', rebase forced' : '';
		if (!options.has('quiet') && (!isForced || isMadeAnew))
			git.out(`${upToDateSubject(range)} is up to date${forced}.\n`);
		if (!isForced) {
			applyAutostash(git, autostash);
			return 0;
		}
	}
	const todo = planSteps(git, options, range);
	const quiet = options.has('quiet');
	const { onto, ontoName } = range;
	const state = {
		...{ branch: range.branch, original: head, onto, done: [], todo, quiet, autostash, favour },
		isForced: options.has('force'),
		signsOff: options.has('signoff'),
		start: target.isRoot ? onto : undefined,
		keepsEmptied: options.get('empty') === 'keep'
	};
	return startRebase(git, state, ontoName);
};

/** @throws GitError for a command of `--exec` that the list of steps cannot hold */
function checkCommands(commands: readonly string[]): void {
	if (commands.some((command) => command.trim() === '')) throw new GitError('error: empty exec command', 128);
	if (commands.some((command) => command.includes('\n')))
		throw new GitError('error: exec commands cannot contain newlines', 128);
}

/** Action that an option requests of the rebase in progress; null if the options ask for a new one. */
function actionOf(options: RebaseOptions): ((git: Invocation) => number | Promise<number>) | null {
	if (options.has('proceed')) return continueRebase;
	if (options.has('skip')) return skipRebase;
	if (options.has('abort')) return abortRebase;
	if (options.has('edit')) return editTodo;
	if (options.has('quit')) return quitRebase;
	return null;
}

function editTodo(git: Invocation): number {
	const state = loadRebase(git.repository);
	saveRebase(git.repository, { ...state, todo: editSteps(git, state.todo, 'The rest of the rebase') });
	return 0;
}

function quitRebase({ repository }: Invocation): number {
	endRebase(repository);
	return 0;
}

function refuseSecond(repository: Repository): never {
	loadRebase(repository);
	throw fatal(
		'It seems that there is already a rebase-merge directory, and\nI wonder if you are in the middle of another rebase.  If that is the\ncase, please try\n\tgit rebase (--continue | --abort | --skip)\n' +
			'If that is not the case, please\n\trm -fr ".git/rebase-merge"\nand run me again.  I am stopping in case you still have something\nvaluable there.\n'
	);
}

/** A commit without files, on which all commits of a branch are made again. */
function emptyStart(repository: Repository): string {
	const people = { author: repository.committer(), committer: repository.committer() };
	const { objects } = repository;
	objects.write('tree', new Uint8Array(0));
	return objects.write('commit', serializeCommit({ tree: EMPTY_TREE, parents: [], ...people, message: '' }));
}

const ownName = ({ refs }: Repository, branch: string): string | null =>
	refs.resolve(`refs/heads/${branch}`) === null ? null : `refs/heads/${branch}`;

/** Resolves `<upstream>` (null with `--root`) and `--onto`. */
function findTarget(
	{ repository }: Invocation,
	options: RebaseOptions,
	{ upstream, tip, isForked }: { upstream: string | null; tip: string; isForked: boolean }
): Pick<Range, 'base' | 'onto' | 'ontoName'> & { isRoot?: boolean } {
	const given = options.has('keepBase') && upstream !== null ? `${upstream}...${tip}` : options.get('onto');
	const find = (name: string): string => {
		if (findRevision(repository, name) === null) throw fatal(`invalid upstream '${name}'`);
		return resolveCommit(repository, name);
	};
	const base = upstream === null ? null : find(upstream);
	const ontoName = given ?? upstream;
	if (ontoName === null) {
		const start = emptyStart(repository);
		return { base: null, ontoName: start, onto: start, isRoot: true };
	}
	const onto = ontoName.includes('...') ? mergeBaseOf(repository, ontoName) : find(ontoName);
	const isLeft = isForked && base !== null && upstream !== null;
	return { base: isLeft ? (leftAt(repository, upstream, base, tip) ?? base) : base, ontoName, onto };
}

/** Commit at which `tip` left the upstream, by the upstream's history of where it was; null where that does not say. */
function leftAt(repository: Repository, upstream: string, base: string, tip: string): string | null {
	const full = expandRef(repository, upstream);
	const tips = full === null ? [] : [base, ...repository.refs.reflog(full).flatMap(({ from, to }) => [to, from])];
	return forkPoint(repository, tips, resolveCommit(repository, tip));
}

const ownCommits = (repository: Repository, { base, onto, head }: Range) =>
	walkHistory(repository, { include: [head], exclude: [base ?? onto] });

function isUpToDate(repository: Repository, range: Range): boolean {
	const { base, onto, head } = range;
	const own = [...ownCommits(repository, range)];
	const isLinear = own.every(({ commit }) => commit.parents.length < 2);
	return (
		isLinear &&
		(own.at(-1)?.commit.parents[0] ?? head) === onto &&
		mergeBases(repository, base ?? onto, head)[0] === onto
	);
}

const upToDateSubject = ({ branch }: Range): string =>
	branch === null ? 'HEAD' : `Current branch ${branch.replace('refs/heads/', '')}`;

/** Steps of a new rebase, edited by the user if it is interactive. */
function planSteps(git: Invocation, options: RebaseOptions, range: Range): RebaseStep[] {
	const { repository } = git;
	let steps = newCommits(git, range, options).map(pickStep);
	const squashes = options.has('autosquash') || repository.config.flag('rebase.autosquash', false);
	if (squashes && !options.has('noAutosquash') && options.has('interactive')) steps = autosquashed(repository, steps);
	steps = withCommands(steps, options.all('exec'));
	if (!options.has('interactive')) return steps;
	const short = (id: string) => repository.objects.abbreviate(id);
	const { base, onto, head } = range;
	const about = `Rebase ${short(base ?? onto)}..${short(head)} onto ${short(onto)} (${steps.length} commands)`;
	const edited = editOrLeave(git, steps, about);
	if (edited.length === 0 && steps.length > 0) {
		endRebase(repository);
		throw new GitError('error: nothing to do', 1);
	}
	return edited;
}

/** Ids of the commits to replay, oldest first, without merges and without changes that upstream has already. */
function newCommits(git: Invocation, range: Range, options: RebaseOptions): string[] {
	const { repository } = git;
	const isReapplied = range.base === null || options.has('reapply') || options.has('keepBase');
	const applied = isReapplied ? new Set<string>() : patchesOf(repository, range.base!, range.head);
	const found: string[] = [];
	for (const { id, commit } of [...ownCommits(repository, range)].reverse()) {
		if (commit.parents.length > 1) continue;
		if (options.has('noKeepEmpty') && changesNothing(repository, id)) continue;
		if (applied.size > 0 && applied.has(patchText(repository, id))) {
			git.err(
				`warning: skipped previously applied commit ${repository.objects.abbreviate(id)}\n` +
					'hint: use --reapply-cherry-picks to include skipped commits\n'
			);
			continue;
		}
		found.push(id);
	}
	return found;
}

function changesNothing(repository: Repository, id: string): boolean {
	const { tree, parents } = repository.commit(id);
	return tree === (parents[0] === undefined ? EMPTY_TREE : repository.commit(parents[0]).tree);
}

/** Returns the list as edited. If the editor fails, no rebase has been started. */
function editOrLeave(git: Invocation, steps: readonly RebaseStep[], about: string): RebaseStep[] {
	try {
		return editSteps(git, steps, about);
	} catch (error) {
		endRebase(git.repository);
		throw error;
	}
}

/** Upstream of the branch; '' after reporting that there is none. */
function ownUpstream(git: Invocation): string {
	const { repository } = git;
	const branch = repository.refs.currentBranch();
	const found = branch === null ? null : repository.upstream(branch);
	if (found !== null) return found.replace(/^refs\/(remotes|heads)\//, '');
	git.out(
		branch === null
			? "You are not currently on a branch.\nPlease specify which branch you want to rebase against.\nSee git-rebase(1) for details.\n\n    git rebase '<branch>'\n\n"
			: `There is no tracking information for the current branch.\nPlease specify which branch you want to rebase against.\nSee git-rebase(1) for details.\n\n    git rebase '<branch>'\n\nIf you wish to set tracking information for this branch you can do so with:\n\n    git branch --set-upstream-to=<remote>/<branch> ${branch}\n\n`
	);
	return '';
}

function mergeBaseOf(repository: Repository, text: string): string {
	const [left = '', right = ''] = text.split('...');
	const [found] = mergeBases(
		repository,
		resolveCommit(repository, left || 'HEAD'),
		resolveCommit(repository, right || 'HEAD')
	);
	if (found === undefined) throw fatal(`'${text}': need exactly one merge base`);
	return found;
}

function refuseChanges(repository: Repository): void {
	const unstaged = indexToWorktree(repository).length > 0;
	const staged = treeToIndex(repository, headTree(repository)).length > 0;
	if (!unstaged && !staged) return;
	const second = unstaged && staged ? 'error: additionally, your index contains uncommitted changes.\n' : '';
	throw new GitError(
		`error: cannot rebase: ${unstaged ? 'You have unstaged changes.' : 'Your index contains uncommitted changes.'}\n${second}error: Please commit or stash them.`,
		1
	);
}

/** Changes that upstream has and `head` has not: they need not be applied again. */
function patchesOf(repository: Repository, upstream: string, head: string): Set<string> {
	const own = ancestors(repository, [head]);
	const found = new Set<string>();
	for (const { id, commit } of walkHistory(repository, { include: [upstream], exclude: [...own].slice(0, 1) })) {
		if (!own.has(id) && commit.parents.length === 1) found.add(patchText(repository, id));
	}
	return found;
}
