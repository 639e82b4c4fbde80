import { fatal } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { FOLLOW_OPTION, followsModules } from '../submodule/follow-modules.ts';
import { parseOptions } from '../options.ts';
import { expandRef } from '../refs/named-ref.ts';
import { namedBranch } from '../refs/branch-name.ts';
import { findRevision } from '../refs/revision.ts';
import { trackedName, tracksBy } from '../refs/track-branch.ts';
import type { Repository } from '../repository.ts';
import { conflictStyle } from '../merge/conflict-style.ts';
import { detach, emptyBranch, guessRemote, newBranch, toBranch } from './move-head.ts';

export const switchBranch: Command = (git, args) => {
	const options = parseOptions('switch [<options>] [<branch>]', args, {
		create: '-c --create =',
		forceCreate: '-C --force-create =',
		detach: '-d --detach',
		force: '-f --force --discard-changes',
		orphan: '--orphan =',
		quiet: '-q --quiet',
		track: '-t --track ?',
		noTrack: '--no-track',
		merge: '-m --merge',
		conflict: '--conflict =',
		guess: '--guess',
		noGuess: '--no-guess',
		...FOLLOW_OPTION
	});
	const { repository } = git;
	const how = {
		quiet: options.has('quiet'),
		force: options.has('force'),
		merge: options.has('merge') || options.has('conflict') ? conflictStyle(repository, options.get('conflict')) : null,
		withModules: followsModules(repository, options)
	};
	const made = options.get('create') ?? options.get('forceCreate');
	const [target] = options.operands;
	if (options.has('orphan')) {
		if (target !== undefined) throw fatal("'--orphan' cannot take <start-point>");
		return emptyBranch(git, options.get('orphan')!, how);
	}
	refuseUnfinished(git.repository);
	if (made !== undefined) {
		const tracks = tracksBy(options);
		return newBranch(git, made, target ?? 'HEAD', { ...how, reset: options.has('forceCreate'), tracks });
	}
	if (options.has('track') && target !== undefined) {
		const tracks = tracksBy(options);
		return newBranch(git, trackedName(target), target, { ...how, reset: false, tracks });
	}
	if (options.has('detach')) return detach(git, target ?? 'HEAD', how, true);
	if (target === undefined) throw fatal('missing branch or commit argument');
	const name = target === '-' ? repository.previousBranch(1) : namedBranch(repository, target);
	if (name === null) throw fatal('invalid reference: -');
	const guesses = options.has('guess') || (!options.has('noGuess') && repository.config.flag('checkout.guess', true));
	if (repository.refs.resolve(`refs/heads/${name}`) === null && !(guesses && guessRemote(git, name))) {
		if (findRevision(repository, name) !== null) {
			const kind = expandRef(repository, name) === null ? 'commit' : kindOf(git, name);
			const hint = 'If you want to detach HEAD at the commit, try again with the --detach option.';
			const shows = repository.config.flag('advice.suggestdetachinghead', true);
			throw fatal(`a branch is expected, got ${kind} '${name}'${shows ? `\nhint: ${hint}` : ''}`);
		}
		throw fatal(`invalid reference: ${name}`);
	}
	return toBranch(git, name, how);
};

const kindOf = (git: Invocation, name: string) =>
	expandRef(git.repository, name)?.startsWith('refs/tags/') ? 'tag' : 'remote branch';

/** Operations in progress that prevent a switch, by the file that indicates each. */
const UNFINISHED: readonly [file: string, what: string, end: string][] = [
	['MERGE_HEAD', 'merging', 'merge --quit'],
	['rebase-merge/head-name', 'rebasing', 'rebase --quit'],
	['rebase-apply/head-name', 'rebasing', 'rebase --quit'],
	['CHERRY_PICK_HEAD', 'cherry-picking', 'cherry-pick --quit'],
	['REVERT_HEAD', 'reverting', 'revert --quit']
];

/** @throws GitError while a merge or similar operation is in progress */
function refuseUnfinished(repository: Repository): void {
	const [, what, end] = UNFINISHED.find(([file]) => repository.note(file) !== null) ?? [];
	if (what === undefined) return;
	throw fatal(`cannot switch branch while ${what}\nConsider "git ${end}" or "git worktree add".`);
}
