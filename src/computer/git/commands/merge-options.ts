import { fatal } from '../errors.ts';
import type { Repository } from '../repository.ts';
import { askedLog } from '../merge/merge-message.ts';
import { parseOptions } from '../options.ts';
import { shellWords } from '../shell-words.ts';

const OPTIONS = {
	message: '-m --message =',
	file: '-F --file =',
	signoff: '--signoff',
	noSignoff: '--no-signoff',
	ff: '--ff --no-ff --ff-only',
	abort: '--abort',
	proceed: '--continue',
	quit: '--quit',
	quiet: '-q --quiet',
	verbose: '-v --verbose',
	edit: '-e --edit',
	noEdit: '--no-edit',
	commit: '--commit',
	noCommit: '--no-commit',
	squash: '--squash',
	noSquash: '--no-squash',
	strategy: '-s --strategy =',
	strategyOption: '-X --strategy-option =',
	unrelated: '--allow-unrelated-histories',
	stat: '--stat --summary',
	noStat: '-n --no-stat --no-summary',
	autostash: '--autostash',
	noAutostash: '--no-autostash',
	cleanup: '--cleanup =',
	noVerify: '--no-verify',
	verify: '--verify',
	intoName: '--into-name =',
	log: '--log ? !',
	autoupdate: '--rerere-autoupdate !',
	// Ignored: commits are never signed, and no progress is shown.
	usual: '--no-gpg-sign --no-progress --progress --no-verify-signatures'
};

/** Options of `git merge`, which override those in `branch.<name>.mergeOptions`. */
export function mergeOptions({ config, refs }: Repository, args: readonly string[]) {
	const branch = refs.currentBranch();
	const set = branch === null ? undefined : config.get(`branch.${branch}.mergeoptions`);
	const all = [...shellWords(set ?? ''), ...args];
	const options = parseOptions('merge [<options>] [<commit>...]', all, OPTIONS);
	/** Returns the last of several options that exclude each other. */
	const last = (...spellings: string[]) => all.findLast((arg) => spellings.includes(arg));
	const isSet = (on: string[], off: string[], setting: boolean): boolean => {
		const given = last(...on, ...off);
		return given === undefined ? setting : on.includes(given);
	};
	const ff = last('--ff', '--no-ff', '--ff-only') ?? byConfig(config.get('merge.ff'));
	const squash = isSet(['--squash'], ['--no-squash'], false);
	if (squash && ff === '--no-ff') throw fatal("options '--squash' and '--no-ff.' cannot be used together");
	if (squash && last('--commit', '--no-commit') === '--commit')
		throw fatal("options '--squash' and '--commit.' cannot be used together");
	return {
		options,
		noFastForward: ff === '--no-ff',
		onlyFastForward: ff === '--ff-only',
		squash,
		noCommit: squash || isSet(['--no-commit'], ['--commit'], false),
		showsStat: isSet(['--stat', '--summary'], ['-n', '--no-stat', '--no-summary'], statByConfig(config)),
		autostash: isSet(['--autostash'], ['--no-autostash'], config.flag('merge.autostash', false)),
		signoff: isSet(['--signoff'], ['--no-signoff'], false),
		log: askedLog(options),
		edits: last('-e', '--edit', '--no-edit')
	};
}

function byConfig(value: string | undefined): string {
	if (value?.toLowerCase() === 'only') return '--ff-only';
	return value !== undefined && ['false', 'no', 'off', '0'].includes(value.toLowerCase()) ? '--no-ff' : '--ff';
}

const statByConfig = (config: Repository['config']): boolean =>
	config.flag('merge.stat', config.flag('merge.diffstat', true));
