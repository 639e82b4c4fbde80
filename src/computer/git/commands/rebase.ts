import { headTree } from '../diff/sides.ts';
import { failure, fatal, GitError } from '../errors.ts';
import { patchId } from '../history/patch-id.ts';
import { ancestors, forkPoint, mergeBases, topological, walkHistory, type Revision } from '../history/walk.ts';
import { runHook } from '../hooks.ts';
import type { Command, Invocation } from '../invocation.ts';
import { mergeSummary } from '../merge/merge-outcome.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { expandRef, REF_RULES } from '../refs/named-ref.ts';
import { findRevision, peel, resolveCommit } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { applyAutostash, keepAutostash, makeAutostash } from '../sequence/autostash.ts';
import { continueRebase, skipRebase } from '../sequence/continue-rebase.ts';
import { abortRebase, detachAt, giveUp, reportChanges, startRebase, storeSteps } from '../sequence/rebase.ts';
import { emptyStart, keepMovingRefs, saveMovingRefs } from '../sequence/rebase-labels.ts';
import { autosquashed, editSteps, withCommands } from '../sequence/rebase-list.ts';
import { stepsWithMerges, withMovingRefs } from '../sequence/rebase-merges.ts';
import {
	beginRebase,
	directoryOf,
	endRebase,
	loadRebase,
	rebaseDirectory,
	type RebaseState
} from '../sequence/rebase-state.ts';
import { pickStep, stepLines, type RebaseStep } from '../sequence/rebase-steps.ts';
import { switchTree } from '../worktree/switch-tree.ts';
import { refuseTaken } from '../worktree/linked.ts';
import { chosenHow, parse, USAGE, type RebaseHow, type RebaseOptions } from './rebase-options.ts';
import { show } from './show.ts';

/** Commits to replay, and their new base. */
interface Range {
	/** Commit whose history is excluded; null with `--root`. */
	base: string | null;
	/** Commit whose history is searched for equivalent changes, which may differ from the base; null with `--root`. */
	upstream: string | null;
	onto: string;
	/** New base as given. */
	ontoName: string;
	head: string;
	/** Full name of the branch; null if HEAD is detached. */
	branch: string | null;
	/** Branch or commit as given, to be checked out first; undefined for HEAD. */
	given: string | undefined;
	isRoot: boolean;
}

export const rebase: Command = async (git, args) => {
	const options = parse(args);
	const { repository } = git;
	if (repository.note('rebase-apply/applying') !== null)
		throw fatal("It looks like 'git am' is in progress. Cannot rebase.");
	const directory = rebaseDirectory(repository);
	const action = actionOf(options);
	if (action) {
		if (args.length > 1) throw new GitError(`usage: git ${USAGE}`, 129);
		if (directory === null) throw fatal('No rebase in progress?');
		return action(git);
	}
	if (directory !== null) refuseSecond(directory);
	if (options.operands.length > (options.has('root') ? 1 : 2)) throw new GitError(`usage: git ${USAGE}`, 129);
	const how = chosenHow(repository, options);
	const range = findRange(git, options);
	if (range === null) return 1;
	const state = newState(options, how, range);
	const autostash = how.autostash ? makeAutostash(git, `${directoryOf(state)}/autostash`) : null;
	if (reportChanges(git, 'Please commit or stash them.')) return 1;
	const mayStay = !how.isInteractive && how.commands.length === 0 && !how.squashes && !range.isRoot;
	if (mayStay && isUpToDate(repository, range)) {
		const isForced = how.isForced || how.signsOff;
		const subject = range.branch === null ? 'HEAD' : `Current branch ${range.branch.replace('refs/heads/', '')}`;
		if (!isForced) switchTo(git, range);
		if (!how.quiet) git.out(`${subject} is up to date${isForced ? ', rebase forced' : ''}.\n`);
		if (!isForced) {
			endRebase(repository);
			applyAutostash(git, autostash);
			return 0;
		}
	}
	const upstreamName = options.has('root') ? '--root' : (options.operands[0] ?? '');
	const hookArgs = [upstreamName, ...(range.given === undefined ? [] : [range.given])];
	if (!options.has('noVerify') && !runHook(git, 'pre-rebase', hookArgs))
		throw fatal('The pre-rebase hook refused to rebase.');
	if (how.showsStat) showStat(git, range, options.has('verbose'));
	return how.isApply ? startMails(git, how, state, range) : startList(git, how, state, range);
};

function newState(options: RebaseOptions, how: RebaseHow, range: Range): RebaseState {
	const { isApply, quiet, autoupdate, strategyOptions, signsOff, empty, isForced, reschedules } = how;
	return {
		...{ isApply, quiet, autoupdate, strategyOptions, signsOff, empty, isForced, reschedules },
		...{ branch: range.branch, original: range.head, onto: range.onto, done: [], todo: [] },
		verbose: options.has('verbose') && !quiet,
		start: range.isRoot ? range.onto : undefined,
		keepsDate: options.has('keepsDate'),
		resetsDate: options.has('resetsDate')
	};
}

/** Prints a diffstat of the changes from the merge base to the new base. */
function showStat(git: Invocation, { head, onto }: Range, isVerbose: boolean): void {
	const { repository } = git;
	const bases = mergeBases(repository, onto, head);
	const [base] = bases.length === 1 ? bases : [];
	if (isVerbose) git.out(base === undefined ? `Changes to ${onto}:\n` : `Changes from ${base} to ${onto}:\n`);
	const before = base === undefined ? EMPTY_TREE : repository.commit(base).tree;
	git.out(mergeSummary(git, before, repository.commit(onto).tree));
}

/** Starts a rebase with the apply backend. */
function startMails(git: Invocation, how: RebaseHow, state: RebaseState, range: Range): number {
	const { repository } = git;
	if (!state.quiet) git.out('First, rewinding head to replay your work on top of it...\n');
	const [base] = mergeBases(repository, range.onto, range.head);
	if (base === range.head) {
		const name = range.branch?.replace('refs/heads/', '') ?? range.given ?? 'HEAD';
		git.out(`Fast-forwarded ${name} to ${range.ontoName}.\n`);
	} else state.todo = newCommits(git, range, how).map(({ id }) => pickStep(repository, id));
	beginRebase(repository, state, false);
	return startRebase(git, state, range.ontoName);
}

/** Starts a rebase with the merge backend: a list of steps, which the user may edit. */
function startList(git: Invocation, how: RebaseHow, state: RebaseState, range: Range): number {
	const { repository } = git;
	const steps = planSteps(git, how, range);
	beginRebase(repository, state, true);
	if (!how.isInteractive) {
		state.todo = steps;
		return startRebase(git, state, range.ontoName);
	}
	const short = (id: string) => repository.objects.abbreviate(id);
	const { upstream, head, onto } = range;
	const revisions = upstream === null ? short(head) : `${short(upstream)}..${short(head)}`;
	const count = Math.max(1, steps.length);
	const about = `Rebase ${revisions} onto ${short(onto)} (${count} command${count === 1 ? '' : 's'})`;
	const edited = editOrLeave(git, state, stepLines(repository, steps) || 'noop\n', about);
	if (edited === 'empty') {
		giveUp(git, state);
		throw failure('nothing to do');
	}
	if (edited === 'faulty') {
		detachAt(git, state, range.onto, range.ontoName);
		return 1;
	}
	state.todo = edited.steps;
	keepMovingRefs(repository, edited.steps);
	return startRebase(git, state, range.ontoName);
}

/** Returns the edited list. If the editor fails, cancels the rebase. */
function editOrLeave(git: Invocation, state: RebaseState, text: string, about: string) {
	try {
		return editSteps(git, text, about);
	} catch (error) {
		giveUp(git, state);
		throw error;
	}
}

/** Action that an option requests for the rebase in progress; null if the options start a new rebase. */
function actionOf(options: RebaseOptions): ((git: Invocation) => number | Promise<number>) | null {
	if (options.has('proceed')) return (git) => continueRebase(git, loadRebase(git.repository));
	if (options.has('skip')) return (git) => skipRebase(git, loadRebase(git.repository));
	if (options.has('abort')) return (git) => abortRebase(git, loadRebase(git.repository));
	if (options.has('edit')) return editTodo;
	if (options.has('quit')) return quitRebase;
	if (options.has('show')) return (git) => show(git, ['REBASE_HEAD', '--']);
	return null;
}

function editTodo(git: Invocation): number {
	const text = git.repository.note('rebase-merge/git-rebase-todo');
	if (text === null) throw fatal('The --edit-todo action can only be used during interactive rebase.');
	const edited = editSteps(git, text, null);
	if (edited === 'faulty') return 1;
	const steps = edited === 'empty' ? [] : edited.steps;
	storeSteps(git, steps);
	keepMovingRefs(git.repository, steps);
	return 0;
}

function quitRebase(git: Invocation): number {
	const { repository } = git;
	const directory = rebaseDirectory(repository) ?? '';
	const stash = repository.note(`${directory}/autostash`)?.trim() ?? null;
	endRebase(repository);
	keepAutostash(git, stash, 'Autostash exists; creating a new stash entry.');
	return 0;
}

function refuseSecond(directory: string): never {
	throw fatal(
		`It seems that there is already a ${directory} directory, and\nI wonder if you are in the middle of another rebase.  If that is the\ncase, please try\n\tgit rebase (--continue | --abort | --skip)\n` +
			`If that is not the case, please\n\trm -fr ".git/${directory}"\nand run me again.  I am stopping in case you still have something\nvaluable there.\n`
	);
}

/** Resolves `<upstream>`, `--onto` and `<branch>`; null after reporting that there is no upstream. */
function findRange(git: Invocation, options: RebaseOptions): Range | null {
	const { repository } = git;
	const previous = (text: string | undefined) => (text === '-' ? '@{-1}' : text);
	const isWhole = options.has('root');
	const [first, second] = options.operands;
	const given = isWhole ? undefined : previous(first);
	const upstreamName = isWhole ? null : (given ?? ownUpstream(git));
	if (upstreamName === '') return null;
	const upstream = upstreamName === null ? null : commitNamed(repository, upstreamName);
	if (upstreamName !== null && upstream === null) throw fatal(`invalid upstream '${upstreamName}'`);
	const tip = findTip(repository, isWhole ? first : second);
	const onto = findOnto(repository, options, { upstreamName, tip: tip.given ?? 'HEAD' });
	const isForked = options.has('forkPoint') || (given === undefined && !isWhole && !options.has('keepBase'));
	const wanted =
		isForked &&
		!options.has('noForkPoint') &&
		(options.has('forkPoint') || repository.config.flag('rebase.forkpoint', true));
	const left =
		wanted && upstreamName !== null && upstream !== null ? leftAt(repository, upstreamName, upstream, tip.head) : null;
	const kept = options.has('keepBase') && !options.has('noReapply') ? onto.onto : upstream;
	return { ...onto, ...tip, base: left ?? kept, upstream: kept };
}

function commitNamed(repository: Repository, name: string): string | null {
	const found = findRevision(repository, name);
	return found === null ? null : peel(repository, found, 'commit');
}

/** Branch or commit to rebase: the named one, or HEAD. */
function findTip(repository: Repository, name: string | undefined): Pick<Range, 'head' | 'branch' | 'given'> {
	const { refs } = repository;
	if (name === undefined) {
		const head = repository.head();
		if (head === null) throw fatal('Could not resolve HEAD to a commit');
		return { head, branch: refs.symbolic('HEAD'), given: undefined };
	}
	const full = `refs/heads/${name}`;
	const own = refs.resolve(full);
	if (own !== null) {
		if (refs.currentBranch() !== name) refuseTaken(repository, name);
		return { head: own, branch: full, given: name };
	}
	const head = commitNamed(repository, name);
	if (head === null) throw fatal(`no such branch/commit '${name}'`);
	return { head, branch: null, given: name };
}

function findOnto(
	repository: Repository,
	options: RebaseOptions,
	{ upstreamName, tip }: { upstreamName: string | null; tip: string }
): Pick<Range, 'onto' | 'ontoName' | 'isRoot'> {
	const isKept = options.has('keepBase');
	const ontoName = isKept && upstreamName !== null ? `${upstreamName}...${tip}` : (options.get('onto') ?? upstreamName);
	if (ontoName === null) {
		const start = emptyStart(repository);
		return { ontoName: start, onto: start, isRoot: true };
	}
	if (!ontoName.includes('...')) {
		const onto = commitNamed(repository, ontoName);
		if (onto === null) throw fatal(`Does not point to a valid commit '${ontoName}'`);
		return { ontoName, onto, isRoot: false };
	}
	const [left = '', right = ''] = ontoName.split('...');
	const commit = (name: string) => resolveCommit(repository, name === '' ? 'HEAD' : name);
	const bases = mergeBases(repository, commit(left), commit(right));
	const fault = isKept
		? `'${upstreamName}': need exactly one merge base with branch`
		: `'${ontoName}': need exactly one merge base`;
	if (bases.length !== 1) throw fatal(fault);
	return { ontoName, onto: bases[0]!, isRoot: false };
}

/** Fork point of `tip` from the reflog of its upstream; null if the reflog does not have it. */
function leftAt(repository: Repository, upstream: string, base: string, tip: string): string | null {
	const isThere = (rule: string) => repository.refs.resolve(rule.replace('*', () => upstream)) !== null;
	if (REF_RULES.slice(1).filter(isThere).length > 1) throw fatal(`Ambiguous refname: '${upstream}'`);
	const full = expandRef(repository, upstream);
	const tips = full === null ? [] : [base, ...repository.refs.reflog(full).flatMap(({ from, to }) => [to, from])];
	return forkPoint(repository, tips, tip);
}

const ownCommits = (repository: Repository, { base, onto, head }: Range): Revision[] =>
	topological([...walkHistory(repository, { include: [head], exclude: [base ?? onto] })]);

function isUpToDate(repository: Repository, range: Range): boolean {
	const { base, onto, head, upstream } = range;
	const own = [...walkHistory(repository, { include: [head], exclude: [base ?? onto] })];
	const isLinear = own.every(({ commit }) => commit.parents.length < 2);
	const isBase = (other: string) => mergeBases(repository, other, head).join() === onto;
	return isLinear && (own.at(-1)?.commit.parents[0] ?? head) === onto && isBase(onto) && isBase(upstream ?? onto);
}

/** Checks out the named branch, which is up to date. */
function switchTo(git: Invocation, { branch, head, given }: Range): void {
	const { repository } = git;
	if (given === undefined) return;
	switchTree(repository, headTree(repository), repository.commit(head).tree);
	repository.index.save();
	const reason = `${git.env['GIT_REFLOG_ACTION'] ?? 'rebase'}: checkout ${given}`;
	repository.refs.moveHead(branch === null ? { id: head } : { branch: branch.replace('refs/heads/', '') }, reason);
}

/** Plans the steps of a new rebase. */
function planSteps(git: Invocation, how: RebaseHow, range: Range): RebaseStep[] {
	const { repository } = git;
	let steps = ownSteps(git, how, range);
	if (how.updatesRefs) {
		const planned = withMovingRefs(repository, steps, range.branch);
		if (planned.moving.length > 0) saveMovingRefs(repository, planned.moving);
		steps = planned.steps;
	}
	if (how.squashes && how.isInteractive) steps = autosquashed(repository, steps);
	return withCommands(steps, how.commands);
}

function ownSteps(git: Invocation, how: RebaseHow, range: Range): RebaseStep[] {
	const { repository } = git;
	if (how.merges === 'none') return newCommits(git, range, how).map(({ id }) => pickStep(repository, id));
	const members = ownCommits(repository, range).reverse();
	if (members.length === 0) return [];
	const left = new Set(newCommits(git, range, how).map(({ id }) => id));
	const leftOut = new Set(
		members.filter(({ id, commit }) => commit.parents.length < 2 && !left.has(id)).map(({ id }) => id)
	);
	const isCousins = how.merges === 'cousins' || (range.base === null && !range.isRoot);
	const { upstream, onto, base, head } = range;
	// Lines that start where the histories parted move to the new base.
	const [parting] = upstream === null ? [] : mergeBases(repository, upstream, head);
	return stepsWithMerges(repository, members, { onto: parting ?? base ?? onto, movesCousins: isCousins, leftOut });
}

/** Commits to replay, oldest first, without merges and changes that upstream already has. */
function newCommits(git: Invocation, range: Range, how: RebaseHow): Revision[] {
	const { repository } = git;
	const { upstream, onto, head } = range;
	const applied = how.reapplies ? new Set<string>() : patchesOf(repository, upstream ?? onto, head);
	const own = ownCommits(repository, range).reverse();
	const single = own.filter(({ commit }) => commit.parents.length < 2);
	const isSkipped = ({ id }: Revision) =>
		applied.size > 0 && applied.has(patchId(repository, id)) && !changesNothing(repository, id);
	const skipped = new Set(single.filter(isSkipped));
	if (!how.quiet && !how.isApply) {
		for (const { id } of skipped)
			git.err(`warning: skipped previously applied commit ${repository.objects.abbreviate(id)}\n`);
		if (skipped.size > 0 && repository.config.flag('advice.skippedcherrypicks', true))
			git.err(
				'hint: use --reapply-cherry-picks to include skipped commits\n' +
					'hint: Disable this message with "git config advice.skippedCherryPicks false"\n'
			);
	}
	const isKept = (one: Revision) => !skipped.has(one) && (how.keepsEmpty || !changesNothing(repository, one.id));
	return single.filter(isKept);
}

function changesNothing(repository: Repository, id: string): boolean {
	const { tree, parents } = repository.commit(id);
	return tree === (parents[0] === undefined ? EMPTY_TREE : repository.commit(parents[0]).tree);
}

/** Upstream of the current branch; '' after reporting that there is none. */
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

/** Patches of commits that are in upstream but not in `head`, which need not be applied again. */
function patchesOf(repository: Repository, upstream: string, head: string): Set<string> {
	const own = ancestors(repository, [head]);
	const found = new Set<string>();
	for (const { id, commit } of walkHistory(repository, { include: [upstream], exclude: [head] })) {
		if (!own.has(id) && commit.parents.length < 2) found.add(patchId(repository, id));
	}
	return found;
}
