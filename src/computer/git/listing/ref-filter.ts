import { failure, fatal, GitError } from '../errors.ts';
import { ancestors } from '../history/walk.ts';
import type { Options } from '../options.ts';
import { findRevision, peel } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { wildmatch } from '../worktree/wildmatch.ts';
import type { ListedRef } from './listed-ref.ts';
import { taggedId } from '../objects/tag.ts';

/** Options that filter lists of refs. */
export const REF_FILTER_OPTIONS = {
	contains: '--contains --with =?',
	noContains: '--no-contains --without =?',
	merged: '--merged =?',
	noMerged: '--no-merged =?',
	pointsAt: '--points-at =?',
	ignoresCase: '-i --ignore-case'
};

type Choice = Options<Exclude<keyof typeof REF_FILTER_OPTIONS, 'ignoresCase'>>;

/** Filters refs by the objects they point to. @throws GitError if an object does not exist */
export function filterRefs(repository: Repository, options: Choice, rows: readonly ListedRef[]): ListedRef[] {
	const commits = (name: 'contains' | 'noContains') =>
		options.all(name).map((text) => {
			const object = findRevision(repository, text || 'HEAD');
			if (object === null) throw new GitError(`error: malformed object name ${text || 'HEAD'}`, 129);
			const commit = peel(repository, object, 'commit');
			if (commit === null) throw new GitError(`error: no such commit ${text || 'HEAD'}`, 129);
			return commit;
		});
	const points = options.all('pointsAt').map((text) => {
		const object = findRevision(repository, text || 'HEAD');
		if (object === null) throw new GitError(`error: malformed object name '${text || 'HEAD'}'`, 129);
		return object;
	});
	const [wanted, unwanted] = [commits('contains'), commits('noContains')];
	const merged = reachedBy(repository, options, 'merged');
	const unmerged = reachedBy(repository, options, 'noMerged');
	const needsCommit = wanted.length > 0 || unwanted.length > 0 || merged !== null || unmerged !== null;
	const reach = new Reach(repository);
	return rows.filter(({ id }) => {
		if (points.length > 0 && !points.includes(id) && !points.includes(targetOf(repository, id) ?? '')) return false;
		if (!needsCommit) return true;
		const commit = peel(repository, id, 'commit');
		if (commit === null) return false;
		if (wanted.length > 0 && !reach.reachesAny(commit, wanted)) return false;
		if (unwanted.length > 0 && reach.reachesAny(commit, unwanted)) return false;
		return merged?.has(commit) !== false && unmerged?.has(commit) !== true;
	});
}

/** Commits reachable from those named by an option; null without the option. */
function reachedBy(repository: Repository, options: Choice, name: 'merged' | 'noMerged'): Set<string> | null {
	if (!options.has(name)) return null;
	const starts = options.all(name).map((text) => {
		const object = findRevision(repository, text || 'HEAD');
		if (object === null) throw fatal(`malformed object name ${text || 'HEAD'}`);
		const commit = peel(repository, object, 'commit');
		if (commit === null)
			throw failure(`option \`${name === 'merged' ? 'merged' : 'no-merged'}' must point to a commit`, 129);
		return commit;
	});
	return ancestors(repository, starts);
}

/** Direct target of a tag; null if the object is not a tag. */
function targetOf(repository: Repository, id: string): string | null {
	const object = repository.objects.find(id);
	return object?.type === 'tag' ? taggedId(object.content) || null : null;
}

/** Caches which commits are reachable from which. */
class Reach {
	readonly #known = new Map<string, Map<string, boolean>>();

	constructor(private readonly repository: Repository) {}

	reachesAny(commit: string, targets: readonly string[]): boolean {
		return targets.some((target) => this.#reaches(commit, target));
	}

	#reaches(start: string, target: string): boolean {
		let known = this.#known.get(target);
		if (!known) this.#known.set(target, (known = new Map([[target, true]])));
		const left = [start];
		// A commit stays on the stack until its parents are known.
		for (let id = left.at(-1); id !== undefined; id = left.at(-1)) {
			if (known.has(id)) {
				left.pop();
				continue;
			}
			const parents = this.repository.parents(id);
			const unknown = parents.filter((parent) => !known.has(parent));
			if (unknown.length > 0 && !parents.some((parent) => known.get(parent))) left.push(unknown[0]!);
			else {
				known.set(
					id,
					parents.some((parent) => known.get(parent))
				);
				left.pop();
			}
		}
		return known.get(start)!;
	}
}

/** Matches patterns against the part after `refs/heads/`, `refs/tags/` and so on; without patterns, all names match. */
export function shortNameFilter(patterns: readonly string[], ignoresCase: boolean): (name: string) => boolean {
	const matchers = patterns.map((pattern) => matcher(pattern, true, ignoresCase));
	return (name) => {
		const short = name.replace(/^refs\/(?:heads\/|tags\/|remotes\/)?/, '');
		return matchers.length === 0 || matchers.some((one) => one.test(short));
	};
}

/** Matches patterns against full names; a pattern also matches as a prefix that ends at a slash. */
export function fullNameFilter(patterns: readonly string[], ignoresCase: boolean): (name: string) => boolean {
	const matchers = patterns.map((pattern) => matcher(pattern, false, ignoresCase));
	return (name) =>
		patterns.length === 0 ||
		patterns.some((pattern, i) => {
			const isBeginning = name === pattern || name.startsWith(pattern.endsWith('/') ? pattern : `${pattern}/`);
			return (isBeginning && pattern !== '') || matchers[i]!.test(name);
		});
}

function matcher(pattern: string, slashes: boolean, ignoresCase: boolean): RegExp {
	const found = wildmatch(pattern, slashes);
	return ignoresCase ? new RegExp(found.source, 'i') : found;
}
