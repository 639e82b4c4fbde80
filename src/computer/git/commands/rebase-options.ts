import { fatal, GitError } from '../errors.ts';
import { checkedOptions, chosenStrategy } from '../merge/strategy.ts';
import { parseOptions } from '../options.ts';
import type { Repository } from '../repository.ts';
import type { EmptyCommits } from '../sequence/rebase-state.ts';

export const USAGE = 'rebase [-i] [options] [--exec <cmd>] [--onto <newbase> | --keep-base] [<upstream> [<branch>]]';

const OPTIONS = {
	onto: '--onto =',
	proceed: '--continue',
	abort: '--abort',
	skip: '--skip',
	quit: '--quit',
	edit: '--edit-todo',
	show: '--show-current-patch',
	interactive: '-i --interactive',
	exec: '-x --exec =',
	rebaseMerges: '-r --rebase-merges ?',
	root: '--root',
	quiet: '-q --quiet',
	autostash: '--autostash',
	noAutostash: '--no-autostash',
	force: '-f --force-rebase --no-ff',
	verbose: '-v --verbose',
	stat: '--stat',
	noStat: '-n --no-stat',
	autosquash: '--autosquash',
	noAutosquash: '--no-autosquash',
	noKeepEmpty: '--no-keep-empty',
	keepEmpty: '-k --keep-empty',
	empty: '--empty =',
	strategy: '-s --strategy =',
	strategyOption: '-X --strategy-option =',
	signoff: '--signoff',
	noSignoff: '--no-signoff',
	forkPoint: '--fork-point',
	noForkPoint: '--no-fork-point',
	reapply: '--reapply-cherry-picks',
	noReapply: '--no-reapply-cherry-picks',
	keepBase: '--keep-base',
	merge: '-m --merge',
	apply: '--apply',
	context: '-C =',
	whitespace: '--whitespace =',
	ignoreWhitespace: '--ignore-whitespace',
	keepsDate: '--committer-date-is-author-date',
	resetsDate: '--ignore-date --reset-author-date',
	autoupdate: '--rerere-autoupdate !',
	updateRefs: '--update-refs',
	noUpdateRefs: '--no-update-refs',
	reschedule: '--reschedule-failed-exec',
	noReschedule: '--no-reschedule-failed-exec',
	noVerify: '--no-verify',
	// Ignored: empty messages are always allowed in a rebase, and commits are never signed.
	usual: '--verify --no-gpg-sign --no-root --allow-empty-message'
};

export const parse = (args: readonly string[]) => parseOptions(USAGE, args, OPTIONS);
export type RebaseOptions = ReturnType<typeof parse>;

/** Settings of a new rebase, from options and the configuration. */
export interface RebaseHow {
	isApply: boolean;
	isInteractive: boolean;
	commands: string[];
	quiet: boolean;
	/** Handling of merges; `cousins` also moves commits that do not descend from the upstream. */
	merges: 'none' | 'usual' | 'cousins';
	squashes: boolean;
	updatesRefs: boolean;
	autostash: boolean;
	empty: EmptyCommits;
	strategyOptions: readonly string[];
	/** Stages recorded resolutions; undefined: as the settings say. */
	autoupdate: boolean | undefined;
	/** Recreates all commits, even those already in place. */
	isForced: boolean;
	signsOff: boolean;
	reschedules: boolean;
	showsStat: boolean;
	/** Reapplies commits whose change upstream already has. */
	reapplies: boolean;
	/** Keeps commits without changes. */
	keepsEmpty: boolean;
}

/** @throws GitError for options that exclude each other or are not supported */
export function chosenHow({ config }: Repository, options: RebaseOptions): RebaseHow {
	checkExclusive(options);
	checkCommands(options.all('exec'));
	const isInteractive = options.has('interactive');
	const commands = options.all('exec');
	const isApply = usesApply(config.get('rebase.backend') ?? 'merge', options);
	if (chosenStrategy(options.get('strategy')) === 'ours')
		throw fatal('-s ours would leave out all changes of a rebase');
	const signsOff = options.has('signoff') && !options.has('noSignoff');
	const usualEmpty = isInteractive ? 'ask' : commands.length > 0 ? 'keep' : 'drop';
	const set = (name: string, on: 'autostash' | 'updateRefs', off: 'noAutostash' | 'noUpdateRefs') =>
		!options.has(off) && (options.has(on) || config.flag(name, false));
	if (options.has('reschedule') && isApply) throw fatal('--reschedule-failed-exec requires --exec or --interactive');
	return {
		isApply,
		isInteractive,
		commands,
		quiet: options.has('quiet'),
		merges: mergesOf(options),
		squashes: !options.has('noAutosquash') && (options.has('autosquash') || config.flag('rebase.autosquash', false)),
		updatesRefs: set('rebase.updaterefs', 'updateRefs', 'noUpdateRefs'),
		autostash: set('rebase.autostash', 'autostash', 'noAutostash'),
		empty: chosenEmpty(options.get('empty')) ?? usualEmpty,
		autoupdate: options.has('autoupdate') ? true : options.isTakenBack('autoupdate') ? false : undefined,
		strategyOptions: [
			...checkedOptions(options.all('strategyOption'), options.get('strategy')),
			...(options.has('ignoreWhitespace') ? ['ignore-space-change'] : [])
		],
		isForced: options.has('force') || options.has('keepsDate') || options.has('resetsDate'),
		signsOff,
		reapplies: options.has('reapply') || (options.has('keepBase') && !options.has('noReapply')),
		// The apply backend cannot represent commits without changes.
		keepsEmpty: !options.has('noKeepEmpty') && !isApply,
		reschedules:
			!options.has('noReschedule') && (options.has('reschedule') || config.flag('rebase.reschedulefailedexec', false)),
		showsStat:
			!options.has('noStat') &&
			!options.has('quiet') &&
			(options.has('stat') || options.has('verbose') || config.flag('rebase.stat', false))
	};
}

function mergesOf(options: RebaseOptions): RebaseHow['merges'] {
	if (!options.has('rebaseMerges')) return 'none';
	const word = options.get('rebaseMerges') ?? '';
	if (word === 'rebase-cousins') return 'cousins';
	if (word !== '' && word !== 'no-rebase-cousins') throw fatal(`Unknown mode: ${word}`);
	return 'usual';
}

function checkExclusive(options: RebaseOptions): void {
	const together = (one: string, other: string) => fatal(`options '${one}' and '${other}' cannot be used together`);
	if (options.has('keepBase') && options.has('onto')) throw together('--keep-base', '--onto');
	if (options.has('keepBase') && options.has('root')) throw together('--keep-base', '--root');
	if (options.has('root') && options.has('forkPoint')) throw together('--root', '--fork-point');
}

function chosenEmpty(word: string | undefined): EmptyCommits | undefined {
	if (word === undefined || word === 'drop' || word === 'keep' || word === 'ask') return word;
	throw fatal(`unrecognized empty type '${word}'; valid values are "drop", "keep", and "ask".`);
}

/** @throws GitError if a command of `--exec` cannot be written to the list of steps */
function checkCommands(commands: readonly string[]): void {
	if (commands.some((command) => command.trim() === '')) throw new GitError('error: empty exec command', 1);
	if (commands.some((command) => command.includes('\n')))
		throw new GitError('error: exec commands cannot contain newlines', 1);
}

/** Returns whether the apply backend is used. @throws GitError if options of both backends are given */
function usesApply(backend: string, options: RebaseOptions): boolean {
	const whitespace = options.get('whitespace');
	if (!/^\d*$/.test(options.get('context') ?? '')) throw fatal("switch `C' expects a numerical value");
	if (whitespace !== undefined && !['warn', 'nowarn'].includes(whitespace)) {
		if (!['fix', 'strip', 'error', 'error-all'].includes(whitespace))
			throw fatal(`Invalid whitespace option: '${whitespace}'`);
		throw fatal(`--whitespace=${whitespace} is not here: commits are merged, and not applied as patches`);
	}
	// `-C` only selects the apply backend: commits are merged as whole files, so the number of context lines has no
	// effect.
	const isMail = options.has('apply') || options.has('context') || whitespace !== undefined;
	const needs: [name: keyof typeof OPTIONS, spelling: string][] = [
		['empty', '--empty'],
		['exec', '--exec'],
		['interactive', '--interactive'],
		['rebaseMerges', '--rebase-merges']
	];
	const [, merging] = needs.find(([name]) => options.has(name)) ?? [];
	const isRoot = options.has('root') && !options.has('onto');
	const mergeOption = merging ?? (isRoot ? '--root without --onto' : undefined);
	if (options.has('apply') && mergeOption !== undefined) throw fatal(`${mergeOption} requires the merge backend`);
	if (options.has('apply') && (options.has('strategy') || options.has('strategyOption')))
		throw fatal('--strategy requires --merge or --interactive');
	const isMerge =
		mergeOption !== undefined ||
		['merge', 'strategy', 'strategyOption', 'reapply'].some((name) => options.has(name as 'merge'));
	if (isMail && isMerge) throw fatal('apply options and merge options cannot be used together');
	if (backend !== 'merge' && backend !== 'apply') throw fatal(`Unknown rebase backend: ${backend}`);
	return isMail || (backend === 'apply' && !isMerge);
}
