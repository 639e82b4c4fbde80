import { integerOf } from '../config/values.ts';
import { fatal, GitError } from '../errors.ts';
import { dateOf } from '../history/filter.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions, type Options } from '../options.ts';
import { runHook } from '../hooks.ts';
import { missingAsNull } from '../objects/store.ts';
import type { Repository } from '../repository.ts';
import { commitGraph } from './commit-graph.ts';
import { packRefs } from './pack-refs.ts';
import { prune } from './prune.ts';
import { reflog } from './reflog.ts';
import { repack } from './repack.ts';
import { rerere } from './rerere.ts';
import { worktree } from './worktree.ts';

const USAGE = 'gc [--aggressive] [--auto] [--quiet] [--prune=<date> | --no-prune] [--force] [--keep-largest-pack]';

/** Default time for which unreachable objects (and missing worktrees, below) are kept. */
const USUAL_PRUNE = '2.weeks.ago';
const USUAL_WORKTREES = '3.months.ago';
/** Numbers of loose objects and packs above which `--auto` runs. */
const MOST_LOOSE = 6700;
const MOST_PACKS = 50;
/** Depth and window of `--aggressive`. */
const AGGRESSIVE = { depth: '50', window: '250' };

const OPTIONS = {
	aggressive: '--aggressive !',
	auto: '--auto !',
	quiet: '-q --quiet !',
	prune: '--prune ? !',
	// Ignored: no other process collects garbage at the same time.
	force: '--force !',
	keepLargest: '--keep-largest-pack'
};

type GcOptions = Options<keyof typeof OPTIONS>;

/** `git gc`: packs objects and refs, and removes old unreachable objects. */
export const gc: Command = async (git, args) => {
	const options = parseOptions(USAGE, args, OPTIONS);
	if (options.operands.length > 0) throw new GitError(`usage: git ${USAGE}`, 129);
	const { repository } = git;
	const { config, files } = repository;
	const expiry = options.isTakenBack('prune')
		? null
		: options.get('prune') || config.get('gc.pruneexpire') || USUAL_PRUNE;
	if (expiry !== null && !['now', 'all', 'never', 'false'].includes(expiry)) requireDate(expiry, files.now());
	const isAuto = options.has('auto');
	if (isAuto && !isNeeded(repository)) return 0;
	if (isAuto) {
		if (!runHook(git, 'pre-auto-gc')) return 0;
		if (!options.has('quiet'))
			git.err('Auto packing the repository for optimum performance.\nSee "git help gc" for manual housekeeping.\n');
	}
	// Promisor objects stay where they are until they are read.
	repository.objects.fetchNothing();
	removeStrayIndexes(repository);
	if (packsRefs(repository)) await packRefs(git, ['--all', '--prune']);
	await reflog(git, ['expire', '--all']);
	const precious = config.flag('extensions.preciousobjects', false);
	if (!precious) {
		await repack(git, repackArguments(git, options, expiry));
		if (expiry !== null) await prune(git, ['--expire', expiry]);
	}
	if (!repository.isBare)
		await worktree(git, ['prune', '--expire', config.get('gc.worktreepruneexpire') ?? USUAL_WORKTREES]);
	await rerere(git, ['gc']);
	if (config.flag('gc.writecommitgraph', true)) await commitGraph(git, ['write', '--reachable', '--no-progress']);
	if (isAuto && hasManyLoose(repository))
		git.err("warning: There are too many unreachable loose objects; run 'git prune' to remove them.\n");
	return 0;
};

function requireDate(text: string, nowMs: number): void {
	try {
		dateOf(text, nowMs);
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		throw fatal(`failed to parse prune expiry value ${text}`);
	}
}

/** Removes pack indexes whose packs are missing, and their other files. */
function removeStrayIndexes({ files, objects }: Repository): void {
	const place = `${objects.directory}/pack`;
	const names = missingAsNull(() => files.readdir(place))?.map(({ name }) => name) ?? [];
	for (const name of names) {
		const base = /^(.*)\.idx$/.exec(name)?.[1];
		if (base === undefined || names.includes(`${base}.pack`)) continue;
		for (const ending of ['idx', 'keep', 'rev', 'bitmap', 'mtimes', 'promisor'])
			files.remove(`${place}/${base}.${ending}`, { force: true });
	}
}

/** Returns whether refs are to be packed (`gc.packRefs`). */
function packsRefs({ config, isBare }: Repository): boolean {
	return config.get('gc.packrefs') === 'notbare' ? !isBare : config.flag('gc.packrefs', true);
}

function repackArguments({ repository }: Invocation, options: GcOptions, expiry: string | null): string[] {
	const { config, objects, files } = repository;
	const args = ['-d', '-l', '-q'];
	if (options.has('aggressive'))
		args.push(
			'-f',
			`--depth=${config.get('gc.aggressivedepth') ?? AGGRESSIVE.depth}`,
			`--window=${config.get('gc.aggressivewindow') ?? AGGRESSIVE.window}`
		);
	const isWhole = !options.has('auto') || hasManyPacks(repository);
	if (!isWhole) return args;
	if (expiry === 'now') args.push('-a');
	else args.push('-A', ...(expiry === null ? [] : [`--unpack-unreachable=${expiry}`]));
	const limit = integerOf(config.get('gc.bigpackthreshold') ?? '0') ?? 0;
	const packs = objects.packs
		.filter((pack) => !pack.isKept)
		.map(({ path }) => ({ name: path.slice(path.lastIndexOf('/') + 1), size: files.stat(path).size }))
		.sort((a, b) => b.size - a.size);
	const kept = options.has('keepLargest')
		? packs.slice(0, 1)
		: limit > 0
			? packs.filter(({ size }) => size >= limit)
			: [];
	return [...args, ...kept.map(({ name }) => `--keep-pack=${name}`)];
}

function isNeeded(repository: Repository): boolean {
	if ((integerOf(repository.config.get('gc.auto') ?? '') ?? MOST_LOOSE) <= 0) return false;
	return hasManyPacks(repository) || hasManyLoose(repository);
}

function hasManyPacks({ config, objects }: Repository): boolean {
	const limit = integerOf(config.get('gc.autopacklimit') ?? '') ?? MOST_PACKS;
	return limit > 0 && objects.packs.filter((pack) => !pack.isKept).length > limit;
}

/** Estimates the number of loose objects from one of the 256 directories. */
function hasManyLoose({ config, objects, files }: Repository): boolean {
	const limit = integerOf(config.get('gc.auto') ?? '') ?? MOST_LOOSE;
	const sample = missingAsNull(() => files.readdir(`${objects.directory}/17`)) ?? [];
	return limit > 0 && sample.length > Math.ceil(limit / 256);
}
