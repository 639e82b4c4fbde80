import { fatal } from '../errors.ts';
import type { Commit, Signature } from '../objects/commit.ts';
import type { Repository } from '../repository.ts';
import { compareTrees, pathOf } from '../diff/change.ts';
import { inOrder } from './commit-order.ts';
import { findRevision, peel, resolveCommit } from '../refs/revision.ts';
import type { Pathspec } from '../worktree/pathspec.ts';

/** Side of `a...b` that a commit is on; `=` if the other side has the same change, `-` for a boundary. */
export type Mark = '' | '<' | '>' | '=' | '-';

export interface Revision {
	id: string;
	commit: Commit;
	/** Side or kind, if the selection uses marks. */
	mark?: Mark;
	/** Reflog entry, in a reflog walk. */
	reflog?: ReflogPlace;
	/** Parent that the commit is compared with, if it is shown once for each. */
	from?: string;
}

/** Position in a reflog. */
export interface ReflogPlace {
	/** Ref as given. */
	ref: string;
	shortRef: string;
	/** Number of the entry, or its date. */
	place: string;
	message: string;
	who: Signature;
}

/** Commits selected by `a..b`, `^a`, `a...b` and plain names. */
export interface Range {
	include: string[];
	exclude: string[];
}

export function parseRange(repository: Repository, revisions: readonly string[]): Range {
	const range: Range = { include: [], exclude: [] };
	const find = (text: string) => resolveCommit(repository, text === '' ? 'HEAD' : text);
	for (const text of revisions) {
		const only = /^(.*)\^(!|@)$/.exec(text);
		if (only) {
			const id = find(only[1]!);
			if (only[2] === '!') range.include.push(id);
			(only[2] === '!' ? range.exclude : range.include).push(...repository.parents(id));
			continue;
		}
		const [, whole, parent] = /^(.*)\^-(\d*)$/.exec(text) ?? [];
		if (whole !== undefined) {
			const id = find(whole);
			const without = repository.parents(id)[Number(parent || 1) - 1];
			if (without === undefined) throw fatal(`bad revision '${text}'`);
			range.include.push(id);
			range.exclude.push(without);
			continue;
		}
		const three = text.indexOf('...');
		const two = text.indexOf('..');
		if (three >= 0) {
			const [left, right] = [find(text.slice(0, three)), find(text.slice(three + 3))];
			range.include.push(left, right);
			range.exclude.push(...mergeBases(repository, left, right));
		} else if (two >= 0) {
			range.exclude.push(find(text.slice(0, two)));
			range.include.push(find(text.slice(two + 2)));
		} else if (text.startsWith('^')) range.exclude.push(find(text.slice(1)));
		else range.include.push(find(text));
	}
	return range;
}

/** Returns whether a commit differs from its parent at the paths; without a parent, whether it has any of them. */
export function differsFrom(
	repository: Repository,
	parent: string | null,
	{ tree }: Commit,
	pathspec: Pathspec
): boolean {
	const before = parent === null ? null : repository.commit(parent).tree;
	return compareTrees(repository.objects, before, tree).some((change) => pathspec.matches(pathOf(change)));
}

/** Inserts a commit into a queue with the newest first, after those of the same second. */
export function insertByDate<Item extends Revision>(queue: Item[], item: Item): void {
	let at = queue.length;
	while (at > 0 && queue[at - 1]!.commit.committer.seconds < item.commit.committer.seconds) at--;
	queue.splice(at, 0, item);
}

/**
 * Commits by committer date, newest first, without those reachable from `exclude`.
 *
 * @param pathspec simplifies history: a merge leads only to the first parent that is equal at these paths
 */
export function* walkHistory(
	repository: Repository,
	range: Range,
	firstParent = false,
	pathspec?: Pathspec
): Generator<Revision> {
	const hidden = range.exclude.length === 0 ? new Set<string>() : ancestors(repository, range.exclude);
	const seen = new Set<string>();
	const queue: Revision[] = [];
	const push = (id: string): void => {
		if (seen.has(id) || hidden.has(id)) return;
		seen.add(id);
		insertByDate(queue, { id, commit: repository.commit(id) });
	};
	range.include.forEach(push);
	for (let next = queue.shift(); next; next = queue.shift()) {
		yield next;
		const parents = firstParent ? next.commit.parents.slice(0, 1) : next.commit.parents;
		const same =
			parents.length > 1 && pathspec && !pathspec.isEmpty
				? parents.find((parent) => !differsFrom(repository, parent, next.commit, pathspec))
				: undefined;
		(same === undefined ? parents : [same]).forEach(push);
	}
}

/** Sorts commits so that no parent is before its children, and lines of history are not interleaved. */
export const topological = (revisions: readonly Revision[]): Revision[] =>
	inOrder(revisions, 'lines', ({ commit }) => commit.parents);

/**
 * All commits reachable from `starts`, including these.
 *
 * @param firstParent follows only first parents
 */
export function ancestors(repository: Repository, starts: readonly string[], firstParent = false): Set<string> {
	const found = new Set<string>(starts);
	const left = [...starts];
	for (let id = left.pop(); id !== undefined; id = left.pop()) {
		const parents = repository.parents(id);
		for (const parent of firstParent ? parents.slice(0, 1) : parents) {
			if (!found.has(parent)) {
				found.add(parent);
				left.push(parent);
			}
		}
	}
	return found;
}

export const isAncestor = (repository: Repository, ancestor: string, of: string): boolean =>
	ancestors(repository, [of]).has(ancestor);

/** Best common ancestors: those that are not ancestors of other common ancestors. */
export const mergeBases = (repository: Repository, a: string, b: string): string[] =>
	mergeBasesOfAll(repository, a, [b]);

/** Commit that a branch may start at: as named, or for `a...b` their merge base; null if there is none. */
export function findStart(repository: Repository, text: string): string | null {
	const [, left, right] = /^(.*)\.\.\.(.*)$/.exec(text) ?? [];
	const commitOf = (name: string) => {
		const id = findRevision(repository, name === '' ? 'HEAD' : name);
		return id === null ? null : peel(repository, id, 'commit');
	};
	if (left === undefined || right === undefined) return commitOf(text);
	const [one, other] = [commitOf(left), commitOf(right)];
	const bases = one === null || other === null ? [] : mergeBases(repository, one, other);
	return bases.length === 1 ? bases[0]! : null;
}

/** Merge bases of a commit and a hypothetical merge of the others, newest first. */
export function mergeBasesOfAll(repository: Repository, one: string, others: readonly string[]): string[] {
	const left = ancestors(repository, [one]);
	const common = [...ancestors(repository, others)].filter((id) => left.has(id));
	const behind = new Set<string>();
	for (const id of common) for (const parent of repository.parents(id)) behind.add(parent);
	const best = common.filter((id) => !behind.has(id));
	if (best.length < 2) return best;
	// Bases of the same time keep the order in which the walk finds them.
	const wanted = new Set(best);
	const found: string[] = [];
	for (const { id } of walkHistory(repository, { include: [one, ...others], exclude: [] })) {
		if (wanted.has(id)) found.push(id);
		if (found.length === best.length) break;
	}
	return found.sort((a, b) => repository.commit(b).committer.seconds - repository.commit(a).committer.seconds);
}

/** Best common ancestors of all of the commits. */
export function octopusBases(repository: Repository, ids: readonly string[]): string[] {
	const [first, ...others] = ids;
	if (first === undefined) return [];
	const found = others.reduce(
		(bases, id) => [...new Set(bases.flatMap((base) => mergeBases(repository, base, id)))],
		[first]
	);
	return independent(repository, found);
}

/** Removes commits that are ancestors of others in the list. */
export function independent(repository: Repository, ids: readonly string[]): string[] {
	const unique = [...new Set(ids)];
	return unique.filter((id) => !unique.some((other) => other !== id && isAncestor(repository, id, other)));
}

/** Commit where another one forked from a branch with the former `tips`; null if there is none, or more than one. */
export function forkPoint(repository: Repository, tips: readonly string[], commit: string): string | null {
	const known = [...new Set(tips)].filter((id) => repository.objects.find(id)?.type === 'commit');
	const [base, ...more] = mergeBasesOfAll(repository, commit, known);
	return base !== undefined && more.length === 0 && known.includes(base) ? base : null;
}
