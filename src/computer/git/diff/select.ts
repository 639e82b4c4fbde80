import type { Repository } from '../repository.ts';
import type { Options } from '../options.ts';
import type { Pathspec } from '../worktree/pathspec.ts';
import { pathOf, type Change } from './change.ts';
import type { DIFF_OPTIONS } from './options.ts';
import { findRenames } from './renames.ts';

/**
 * Narrows changes to paths, finds renames among the rest and applies `--diff-filter`.
 *
 * @param findsRenames without being asked: commands for people do, those for scripts do not
 */
export function selectChanges(
	repository: Repository,
	changes: Change[],
	pathspec: Pathspec,
	options: Options<keyof typeof DIFF_OPTIONS>,
	findsRenames = repository.config.get('diff.renames') !== 'false'
): Change[] {
	const within = pathspec.isEmpty ? changes : changes.filter((change) => pathspec.matches(pathOf(change)));
	const turned = options.has('reverse') ? within.map(turnedRound) : within;
	const asked = options.has('renames') || options.has('copies') || findsRenames;
	const found = options.has('noRenames') || !asked ? turned : findRenames(repository, turned);
	const filter = options.all('filter').join('');
	if (filter === '') return found;
	// Small letters leave out; without a capital one the rest is wanted.
	const isAny = !/[A-Z]/.test(filter);
	return found.filter(({ status }) => (isAny || filter.includes(status)) && !filter.includes(status.toLowerCase()));
}

const TURNED: Partial<Record<Change['status'], Change['status']>> = { A: 'D', D: 'A' };

const turnedRound = (change: Change): Change => ({
	...change,
	status: TURNED[change.status] ?? change.status,
	before: change.after,
	after: change.before
});
