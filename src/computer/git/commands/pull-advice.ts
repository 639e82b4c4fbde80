import { GitError } from '../errors.ts';
import type { Invocation } from '../invocation.ts';

const CHOICE = `You have divergent branches and need to specify how to reconcile them.
You can do so by running one of the following commands sometime before
your next pull:

  git config pull.rebase false  # merge
  git config pull.rebase true   # rebase
  git config pull.ff only       # fast-forward only

You can replace "git config" with "git config --global" to set a default
preference for all repositories. You can also pass --rebase, --no-rebase,
or --ff-only on the command line to override the configured default per
invocation.`;

const NO_FAST_FORWARD = `Diverging branches can't be fast-forwarded, you need to either:

	git merge --no-ff

or:

	git rebase
`;

const hinted = (text: string): string =>
	text
		.split('\n')
		.map((line) => `hint: ${line}\n`)
		.join('');

/** Error if divergent branches cannot be reconciled without a decision. */
export function requireChoice({ repository }: Invocation, about: 'choice' | 'fast-forward'): GitError {
	const { config } = repository;
	if (about === 'choice')
		return new GitError(`${hinted(CHOICE)}fatal: Need to specify how to reconcile divergent branches.`, 128);
	const hints = config.flag('advice.diverging', true) ? hinted(NO_FAST_FORWARD) : '';
	return new GitError(`${hints}fatal: Not possible to fast-forward, aborting.`, 128);
}

/** Arguments of a pull for the error message. */
interface Pulled {
	/** Remote, if one was named. */
	named: string | undefined;
	specs: readonly string[];
	rebases: boolean;
}

/** Error if no fetched ref is to be merged; explains the reason like git. */
export function refuseNoCandidate({ repository }: Invocation, { named, specs, rebases }: Pulled): GitError {
	const { config, refs } = repository;
	const branch = refs.currentBranch();
	const remote = branch === null ? undefined : config.get(`branch.${branch}.remote`);
	const merge = branch === null ? undefined : config.get(`branch.${branch}.merge`);
	if (specs.length > 0)
		return new GitError(
			(rebases
				? 'There is no candidate for rebasing against among the refs that you just fetched.\n'
				: 'There are no candidates for merging among the refs that you just fetched.\n') +
				'Generally this means that you provided a wildcard refspec which had no\nmatches on the remote end.',
			1
		);
	if (named !== undefined && branch !== null && named !== remote)
		return new GitError(
			`You asked to pull from the remote '${named}', but did not specify\n` +
				'a branch. Because this is not the default configured remote\n' +
				'for your current branch, you must specify a branch on the command line.',
			1
		);
	if (branch !== null && merge !== undefined)
		return new GitError(
			`Your configuration specifies to merge with the ref '${merge}'\nfrom the remote, but no such ref was fetched.`,
			1
		);
	const what = rebases ? 'rebase against' : 'merge with';
	const shown = remote ?? config.subsections('remote')[0] ?? '<remote>';
	const advice =
		branch === null
			? ''
			: '\nIf you wish to set tracking information for this branch you can do so with:\n\n' +
				`    git branch --set-upstream-to=${shown}/<branch> ${branch}\n`;
	return new GitError(
		(branch === null
			? 'You are not currently on a branch.\n'
			: 'There is no tracking information for the current branch.\n') +
			`Please specify which branch you want to ${what}.\nSee git-pull(1) for details.\n\n    git pull <remote> <branch>\n${advice}`,
		1
	);
}
