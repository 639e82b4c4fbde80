import { GitError, fatal } from '../errors.ts';
import { forkPoint, isAncestor, octopusBases } from '../history/walk.ts';
import { Invocation, type Command } from '../invocation.ts';
import { formatMergeMessage } from '../merge/merge-message.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { type Options, parseOptions } from '../options.ts';
import { fetchLine } from '../remote/fetch-head.ts';
import type { FetchItem } from '../remote/fetch-plan.ts';
import { parseRefspec, targetOf } from '../refs/refspec.ts';
import { defaultRemote } from '../remote/remote-settings.ts';
import type { Repository } from '../repository.ts';
import { fetchChoice } from '../submodule/fetch-choice.ts';
import { movedModules } from '../submodule/moved-modules.ts';
import { switchTree } from '../worktree/switch-tree.ts';
import { FETCH_OPTIONS, fetchOne } from './fetch.ts';
import { merge } from './merge.ts';
import { refuseNoCandidate, requireChoice } from './pull-advice.ts';
import { rebase } from './rebase.ts';
import { updateModules } from './submodule-update.ts';
import { uncommittedFaults } from '../worktree/uncommitted.ts';

const OPTIONS = {
	...FETCH_OPTIONS,
	all: '--all',
	rebase: '-r --rebase --no-rebase ?',
	fastForward: '--ff --no-ff --ff-only',
	commit: '--commit --no-commit',
	squash: '--squash --no-squash',
	stat: '--stat --no-stat -n',
	signoff: '--signoff --no-signoff',
	edit: '-e --edit --no-edit',
	autostash: '--autostash --no-autostash',
	verify: '--verify --no-verify',
	strategy: '-s --strategy =',
	strategyOption: '-X --strategy-option =',
	unrelated: '--allow-unrelated-histories',
	signatures: '--verify-signatures --no-verify-signatures'
};

export type PullOptions = Options<keyof typeof OPTIONS>;

/** Way to reconcile divergent histories. */
interface Bringing {
	rebase: RebaseMode;
	/** Neither an option nor a setting says whether to rebase. */
	isUnsaid: boolean;
	fastForward: string | null;
}

type RebaseMode = 'no' | 'yes' | 'interactive' | 'merges';

export const pull: Command = async (git, words) => {
	const options = parseOptions('pull [<options>] [<repository> [<refspec>...]]', words, OPTIONS);
	const end = words.indexOf('--');
	const args = end < 0 ? words : words.slice(0, end);
	const { repository } = git;
	const how = bringing(git, options, args);
	refuseUnfinished(git);
	const [named, ...specs] = [...options.operands, ...(options.paths ?? [])];
	const before = repository.head();
	if (how.rebase !== 'no') requireClean(git, before, lastOf(args, /^--(?:no-)?autostash$/));
	const fork = how.rebase === 'no' || before === null ? null : forkOf(git, before, named, specs);
	const name = named ?? defaultRemote(repository);
	const action = git.env['GIT_REFLOG_ACTION'] ?? ['pull', ...words].join(' ');
	const fetched = await fetchOne(git, name, specs, options, { ...loudness(args), action, updatesHead: true });
	if (!fetched.isDone) return 1;
	if (options.has('dryRun')) return 0;
	const inner = new Invocation(git.context, git.cwd, git.surroundings.overrides, {
		...git.env,
		GIT_REFLOG_ACTION: action
	});
	const now = repository.head();
	if (before !== null && now !== null && now !== before) followHead(inner, before, now);
	const merged = fetched.items.filter(({ noted }) => noted === 'merged');
	if (merged.length === 0) throw refuseNoCandidate(git, { named, specs, rebases: how.rebase !== 'no' });
	const work = { options, how, args, merged, url: fetched.url, before: before === null ? null : now, fork };
	const followsModules = includesModules(repository, options);
	if (followsModules && how.rebase !== 'no' && work.before !== null) refuseOwnMoves(repository, work, work.before);
	const code = await bringIn(inner, work);
	inner.flush();
	return code !== 0 || !followsModules || work.before === null ? code : updateAfter(git, how, args);
};

/** Returns whether submodules follow the pull, by the option or the setting. */
function includesModules({ config }: Repository, options: PullOptions): boolean {
	if (options.has('submodules')) return fetchChoice('recurse-submodules', options.get('submodules') ?? '') !== 'no';
	return !options.isTakenBack('submodules') && config.flag('submodule.recurse', false);
}

/** @throws GitError if own commits, which a rebase would write again, move submodules */
function refuseOwnMoves(repository: Repository, { merged, fork }: BringIn, head: string): void {
	const onto = merged.map(({ id }) => repository.peeled(id));
	const range = { include: [head], exclude: fork === null ? onto : [...onto, fork] };
	if (movedModules(repository, range).length > 0)
		throw fatal('cannot rebase with locally recorded submodule modifications');
}

/** Checks out the submodules as the pulled commit records them, or rebases them. */
async function updateAfter(git: Invocation, how: Bringing, args: readonly string[]): Promise<number> {
	const { quiet } = loudness(args);
	const nested = new Invocation(git.context, git.cwd, git.surroundings.overrides, git.env);
	const way = how.rebase === 'no' ? '--checkout' : '--rebase';
	const code = await updateModules({ git: nested, isQuiet: quiet, prefix: null }, ['--recursive', way]);
	nested.flush();
	return code;
}

/** Last argument that matches a pattern; null if none. */
const lastOf = (args: readonly string[], pattern: RegExp): string | null =>
	args.findLast((arg) => pattern.test(arg)) ?? null;

/** Drops arguments that a later one negates or repeats, for example `--signoff` before `--no-signoff`. */
function lastWords(args: readonly string[]): string[] {
	const nameOf = (arg: string) => arg.replace(/^--no-/, '--').replace(/^(?:-q|--quiet|-v|--verbose)$/, '-q');
	return args.filter((arg, at) => !args.slice(at + 1).some((other) => nameOf(other) === nameOf(arg)));
}

/** Verbosity given by the last of `-q` and `-v`. */
function loudness(args: readonly string[]): { quiet: boolean; isVerbose: boolean } {
	const last = lastOf(args, /^(?:-q|--quiet|-v|--verbose)$/) ?? '';
	return { quiet: /^(?:-q|--quiet)$/.test(last), isVerbose: /^(?:-v|--verbose)$/.test(last) };
}

/** Reads options and settings for rebasing and fast-forwarding. @throws GitError for invalid values */
function bringing({ repository }: Invocation, options: PullOptions, args: readonly string[]): Bringing {
	const { config, refs } = repository;
	const branch = refs.currentBranch();
	const flag = lastOf(args, /^(?:-r|--rebase(?:=.*)?|--no-rebase)$/);
	const set = [...(branch === null ? [] : [`branch.${branch}.rebase`]), 'pull.rebase'].find(
		(key) => config.get(key) !== undefined
	);
	const rebase =
		flag === '--no-rebase'
			? 'no'
			: options.has('rebase')
				? rebaseMode('--rebase', options.get('rebase') || 'true')
				: set === undefined
					? 'no'
					: rebaseMode(set, config.get(set) ?? '');
	const asked = lastOf(args, /^--(?:ff|no-ff|ff-only)$/);
	const setting = config.get('pull.ff')?.toLowerCase();
	const configured =
		setting === undefined ? null : setting === 'only' ? '--ff-only' : setting === 'false' ? '--no-ff' : '--ff';
	// A rebase option on the command line overrides `pull.ff=only`.
	const counts = configured === '--ff-only' && flag !== null ? '--ff' : configured;
	return { rebase, isUnsaid: flag === null && set === undefined, fastForward: asked ?? counts };
}

function rebaseMode(key: string, value: string): RebaseMode {
	const word = value.toLowerCase();
	if (['false', 'no', 'off', '0'].includes(word)) return 'no';
	if (['true', 'yes', 'on', '1', ''].includes(word)) return 'yes';
	if (word === 'interactive' || word === 'i') return 'interactive';
	if (word === 'merges' || word === 'm') return 'merges';
	throw fatal(`invalid value for '${key}': '${value}'`);
}

/** @throws GitError while a merge is in progress */
function refuseUnfinished({ repository }: Invocation): void {
	if (repository.index.unmerged().length > 0)
		throw new GitError(
			'error: Pulling is not possible because you have unmerged files.\n' +
				"hint: Fix them up in the work tree, and then use 'git add/rm <file>'\n" +
				'hint: as appropriate to mark resolution and make a commit.\n' +
				'fatal: Exiting because of an unresolved conflict.',
			128
		);
	if (repository.note('MERGE_HEAD') !== null)
		throw new GitError(
			'error: You have not concluded your merge (MERGE_HEAD exists).\n' +
				'hint: Please, commit your changes before merging.\nfatal: Exiting because of unfinished merge.',
			128
		);
}

const rebasesWithStash = ({ config }: Repository): boolean => config.flag('rebase.autostash', false);

/** @throws GitError if local changes prevent a rebase */
function requireClean({ repository }: Invocation, head: string | null, autostash: string | null): void {
	if (head === null) {
		if (repository.index.entries().length > 0)
			throw fatal('Updating an unborn branch with changes added to the index.');
		return;
	}
	if (autostash === null ? rebasesWithStash(repository) : autostash === '--autostash') return;
	const faults = uncommittedFaults(repository, 'cannot pull with rebase').map((fault) => `error: ${fault}`);
	if (faults.length === 0) return;
	throw new GitError(`${faults.join('\n')}\nerror: Please commit or stash them.`, 128);
}

/** Fork point of the branch from the reflog of its upstream, before the fetch; null if there is none. */
function forkOf(
	{ repository }: Invocation,
	head: string,
	named: string | undefined,
	specs: readonly string[]
): string | null {
	const { refs } = repository;
	const upstream = trackedRef(repository, named, specs);
	const now = upstream === null ? null : refs.resolve(upstream);
	if (upstream === null || now === null) return null;
	return forkPoint(repository, [now, ...refs.reflog(upstream).flatMap(({ from, to }) => [to, from])], head);
}

/** Local ref that tracks the pulled branch; null if there is none or more than one. */
function trackedRef(repository: Repository, named: string | undefined, specs: readonly string[]): string | null {
	const branch = repository.refs.currentBranch();
	const remote = branch === null ? undefined : repository.config.get(`branch.${branch}.remote`);
	if (specs.length === 0)
		return branch === null || (named !== undefined && named !== remote) ? null : repository.upstream(branch);
	const [spec] = specs.map(parseRefspec);
	if (specs.length > 1 || named === undefined || !spec) return null;
	const source = expandedBranch(spec.source);
	return named === '.' ? source : targetOf(repository.fetchSpecs(named), source);
}

const expandedBranch = (name: string): string => (name.startsWith('refs/') ? name : `refs/heads/${name}`);

/** Updates the worktree after the fetch moved the current branch. */
function followHead(git: Invocation, before: string, now: string): void {
	const { repository } = git;
	git.err(
		'warning: fetch updated the current branch head.\nfast-forwarding your working tree from\n' + `commit ${before}.\n`
	);
	try {
		switchTree(repository, repository.commit(before).tree, repository.commit(now).tree, { verb: 'merge' });
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		git.err(`${error.message}\n`);
		throw fatal(
			'Cannot fast-forward your working tree.\nAfter making sure that you saved anything precious from\n' +
				`$ git diff ${before}\noutput, run\n$ git reset --hard\nto recover.`
		);
	}
	repository.index.save();
}

/** Fetched commits and how to integrate them. */
interface BringIn {
	options: PullOptions;
	how: Bringing;
	args: readonly string[];
	merged: readonly FetchItem[];
	url: string;
	/** HEAD after the fetch; null if the branch had no commit before it. */
	before: string | null;
	fork: string | null;
}

async function bringIn(git: Invocation, work: BringIn): Promise<number> {
	const { repository } = git;
	const { merged, before, how } = work;
	const ids = merged.map(({ id }) => repository.peeled(id));
	if (before === null) {
		if (ids.length > 1) throw fatal('Cannot merge multiple branches into empty head.');
		return startBranch(git, ids[0]!);
	}
	if (how.rebase !== 'no' && ids.length > 1) throw fatal('Cannot rebase onto multiple branches.');
	if (how.fastForward === '--ff-only' && ids.length > 1) throw fatal('Cannot fast-forward to multiple branches.');
	const canFastForward = ids.length === 1 && isAncestor(repository, before, ids[0]!);
	const isDivergent = !canFastForward && !ids.every((id) => isAncestor(repository, id, before));
	if (how.fastForward === '--ff-only' && isDivergent) throw requireChoice(git, 'fast-forward');
	if (how.isUnsaid && how.fastForward === null && isDivergent) throw requireChoice(git, 'choice');
	const checksSignatures = lastOf(work.args, /^--(?:no-)?verify-signatures$/) === '--verify-signatures';
	if (checksSignatures && how.rebase !== 'no') git.err('warning: ignoring --verify-signatures for rebase\n');
	else if (checksSignatures) throw fatal('signatures of commits cannot be verified here');
	if (how.rebase === 'no' || how.fastForward === '--ff-only') return mergeFetched(git, work, how.fastForward);
	if (canFastForward) return mergeFetched(git, work, '--ff-only');
	return rebaseOnto(git, work, ids[0]!);
}

/** Starts a branch without commits at the fetched commit. */
function startBranch({ repository, env }: Invocation, id: string): number {
	// Files that are only in the index are kept unless they conflict.
	switchTree(repository, EMPTY_TREE, repository.commit(id).tree, { verb: 'merge' });
	repository.index.save();
	repository.refs.update('HEAD', id, env['GIT_REFLOG_ACTION'] ?? 'initial pull');
	return 0;
}

/** Strategy options for merge and rebase. */
const strategyFlags = (options: PullOptions): string[] => [
	...options.all('strategy').map((name) => `--strategy=${name}`),
	...options.all('strategyOption').map((name) => `--strategy-option=${name}`)
];

async function mergeFetched(git: Invocation, work: BringIn, fastForward: string | null): Promise<number> {
	const { options, args, merged, url } = work;
	const { repository } = git;
	const flags = lastWords(args).filter((arg) =>
		/^(?:--(?:no-)?(?:commit|squash|stat|edit)|--signoff|--no-verify|-n|-e|-q|--quiet|--(?:no-)?autostash|--allow-unrelated-histories)$/.test(
			arg
		)
	);
	// If a fast-forward replaces the rebase, it stashes changes like the rebase would.
	if (work.how.rebase !== 'no' && rebasesWithStash(repository) && lastOf(args, /^--(?:no-)?autostash$/) === null)
		flags.push('--autostash');
	const message = formatMergeMessage(repository, merged.map((item) => fetchLine(item, url)).join(''), {}).trimEnd();
	const names = merged.map(({ id }) => id);
	return merge(git, [
		...flags.map((flag) => (flag === '-n' ? '--no-stat' : flag)),
		...strategyFlags(options),
		...(fastForward === null ? [] : [fastForward]),
		'-m',
		message,
		...names
	]);
}

async function rebaseOnto(
	git: Invocation,
	{ options, how, args, before, fork }: BringIn,
	onto: string
): Promise<number> {
	const { repository } = git;
	// A fork point that is the merge base anyway adds nothing.
	const base = fork === null || before === null ? undefined : octopusBases(repository, [before, onto, fork])[0];
	const upstream = fork === null || base === fork ? onto : fork;
	const flags = lastWords(args).filter((arg) =>
		/^(?:-q|--quiet|-v|--verbose|--(?:no-)?autostash|--(?:no-)?stat)$/.test(arg)
	);
	const mode = how.rebase === 'interactive' ? ['--interactive'] : how.rebase === 'merges' ? ['--rebase-merges'] : [];
	return rebase(git, [...mode, ...flags, ...strategyFlags(options), '--onto', onto, upstream]);
}
