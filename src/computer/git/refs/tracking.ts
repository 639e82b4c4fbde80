import { ancestors } from '../history/walk.ts';
import type { Repository } from '../repository.ts';

/** Relation of a branch to its upstream. */
export interface Tracking {
	/** `origin/main` */
	name: string;
	/** null if the upstream no longer exists. */
	counts: { ahead: number; behind: number } | null;
}

/** Compares a branch with its upstream; null if it has none. */
export function aheadBehind(repository: Repository, branch: string): Tracking | null {
	const ref = repository.upstream(branch);
	if (ref === null) return null;
	const name = ref.replace(/^refs\/(heads|remotes)\//, '');
	const theirs = repository.refs.resolve(ref);
	const ours = repository.refs.resolve(`refs/heads/${branch}`);
	if (theirs === null) return { name, counts: null };
	if (ours === null || ours === theirs) return { name, counts: { ahead: 0, behind: 0 } };
	const left = ancestors(repository, [ours]);
	const right = ancestors(repository, [theirs]);
	const only = (a: Set<string>, b: Set<string>) => [...a].filter((id) => !b.has(id)).length;
	return { name, counts: { ahead: only(left, right), behind: only(right, left) } };
}

/**
 * Sentences that `status` and `switch` print about it; '' if there is nothing to report. @param counted includes the
 * number of commits
 */
export function trackingSentence(repository: Repository, branch: string, counted = true): string {
	const tracking = aheadBehind(repository, branch);
	if (!tracking) return '';
	const { name, counts } = tracking;
	if (!counts)
		return `Your branch is based on '${name}', but the upstream is gone.\n  (use "git branch --unset-upstream" to fixup)\n`;
	const { ahead, behind } = counts;
	if (!counted && (ahead > 0 || behind > 0))
		return `Your branch and '${name}' refer to different commits.\n  (use "git status --ahead-behind" for details)\n`;
	const commits = (count: number) => `${count} commit${count === 1 ? '' : 's'}`;
	if (ahead === 0 && behind === 0) return `Your branch is up to date with '${name}'.\n`;
	if (behind === 0)
		return `Your branch is ahead of '${name}' by ${commits(ahead)}.\n  (use "git push" to publish your local commits)\n`;
	if (ahead === 0) {
		return `Your branch is behind '${name}' by ${commits(behind)}, and can be fast-forwarded.\n  (use "git pull" to update your local branch)\n`;
	}
	return (
		`Your branch and '${name}' have diverged,\nand have ${ahead} and ${behind} different commits each, respectively.\n` +
		'  (use "git pull" to merge the remote branch into yours)\n'
	);
}
