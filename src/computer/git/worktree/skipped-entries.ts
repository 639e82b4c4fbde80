import type { IndexEntry } from '../index/index-file.ts';
import type { Invocation } from '../invocation.ts';
import type { Repository } from '../repository.ts';
import type { Pathspec } from './pathspec.ts';

/** Returns whether commands leave an entry alone because it is outside the sparse checkout. */
export const isSkipped = ({ sparse }: Repository, { path, skipWorktree }: IndexEntry): boolean =>
	skipWorktree === true || !sparse.has(path);

/**
 * Items of a pathspec, as typed, that match only entries outside the sparse checkout.
 *
 * @param others further paths that items may match
 */
export function onlySkipped(repository: Repository, pathspec: Pathspec, others: readonly string[] = []): string[] {
	const entries = repository.index.entries();
	const skipped = entries.filter((entry) => isSkipped(repository, entry)).map(({ path }) => path);
	if (skipped.length === 0) return [];
	const left = new Set(skipped);
	const usual = [...entries.map(({ path }) => path).filter((path) => !left.has(path)), ...others];
	return pathspec.items
		.filter(({ matches }) => skipped.some(matches) && !usual.some(matches))
		.map(({ given }) => given);
}

/** Explains that paths are outside the sparse checkout. Returns whether there are any. */
export function adviseOnSkipped(git: Invocation, paths: readonly string[]): boolean {
	if (paths.length === 0) return false;
	git.err(
		'The following paths and/or pathspecs matched paths that exist\n' +
			'outside of your sparse-checkout definition, so will not be\n' +
			`updated in the index:\n${paths.map((path) => `${path}\n`).join('')}`
	);
	hint(git, [
		'If you intend to update such entries, try one of the following:',
		'* Use the --sparse option.',
		'* Disable or modify the sparsity rules.'
	]);
	return true;
}

/** Explains that files moved out of the sparse checkout stay because of their changes. */
export function adviseOnMovedChanges(git: Invocation, paths: readonly string[]): void {
	if (paths.length === 0) return;
	git.err(
		'The following paths have been moved outside the\n' +
			'sparse-checkout definition but are not sparse due to local\n' +
			`modifications.\n${paths.map((path) => `${path}\n`).join('')}`
	);
	hint(git, [
		'To correct the sparsity of these paths, do the following:',
		'* Use "git add --sparse <paths>" to update the index',
		'* Use "git sparse-checkout reapply" to apply the sparsity rules'
	]);
}

function hint(git: Invocation, lines: readonly string[]): void {
	if (!git.repository.config.flag('advice.updatesparsepath', true)) return;
	const all = [...lines, 'Disable this message with "git config advice.updateSparsePath false"'];
	git.err(all.map((line) => `hint: ${line}\n`).join(''));
}
