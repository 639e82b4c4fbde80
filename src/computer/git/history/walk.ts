import { fatal } from '../errors.ts';
import type { Commit, Signature } from '../objects/commit.ts';
import type { Repository } from '../repository.ts';
import { compareTrees, pathOf } from '../diff/change.ts';
import { inOrder } from './commit-order.ts';
import { findRevision, peel, resolveCommit } from '../refs/revision.ts';
import type { Pathspec } from '../worktree/pathspec.ts';

/** Side of `a...b` that a commit is on, `=` for one that the other side has too, `-` for a boundary. */
export type Mark = '' | '<' | '>' | '=' | '-';

export interface Revision {
	id: string;
	commit: Commit;
	/** Side or kind, where a selection has such. */
	mark?: Mark;
	/** Place in the history of a reference, where that is shown. */
	reflog?: ReflogPlace;
}

/** Entry of the history of a reference. */
export interface ReflogPlace {
	/** Reference as it was named. */
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

/** Tells whether a commit has something else at the paths than a parent, or anything where there is none. */
export function differsFrom(
	repository: Repository,
	parent: string | null,
	{ tree }: Commit,
	pathspec: Pathspec
): boolean {
	const before = parent === null ? null : repository.commit(parent).tree;
	return compareTrees(repository.objects, before, tree).some((change) => pathspec.matches(pathOf(change)));
}

/** Puts a commit into a queue that has the newest first, behind those of its second. */
export function insertByDate<Item extends Revision>(queue: Item[], item: Item): void {
	let at = queue.length;
	while (at > 0 && queue[at - 1]!.commit.committer.seconds < item.commit.committer.seconds) at--;
	queue.splice(at, 0, item);
}

/**
 * Commits by committer's date, newest first, without what `exclude` reaches.
 *
 * @param pathspec a merge leads only to the first parent that has the same there, so that history is as simple as it can be
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

/** The same commits with no parent before its children, and one line of history not mixed with another. */
export const topological = (revisions: readonly Revision[]): Revision[] =>
	inOrder(revisions, 'lines', ({ commit }) => commit.parents);

/**
 * All commits reachable from `starts`, themselves included.
 *
 * @param firstParent reached by first parents alone
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

/** The best common ancestors: those no other common ancestor descends from. */
export const mergeBases = (repository: Repository, a: string, b: string): string[] =>
	mergeBasesOfAll(repository, a, [b]);

/** The commit that a branch may start at: as named, or for `a...b` the best ancestor of both; null for none. */
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

/** The same of a commit and a merge of the others, whichever of them a base is in. Newest first. */
export function mergeBasesOfAll(repository: Repository, one: string, others: readonly string[]): string[] {
	const left = ancestors(repository, [one]);
	const common = [...ancestors(repository, others)].filter((id) => left.has(id));
	const behind = new Set<string>();
	for (const id of common) for (const parent of repository.parents(id)) behind.add(parent);
	const best = common.filter((id) => !behind.has(id));
	if (best.length < 2) return best;
	// Those of one time come in the order in which they are met.
	const wanted = new Set(best);
	const found: string[] = [];
	for (const { id } of walkHistory(repository, { include: [one, ...others], exclude: [] })) {
		if (wanted.has(id)) found.push(id);
		if (found.length === best.length) break;
	}
	return found.sort((a, b) => repository.commit(b).committer.seconds - repository.commit(a).committer.seconds);
}

/** The best ancestors that all of the commits have. */
export function octopusBases(repository: Repository, ids: readonly string[]): string[] {
	const [first, ...others] = ids;
	if (first === undefined) return [];
	const found = others.reduce(
		(bases, id) => [...new Set(bases.flatMap((base) => mergeBases(repository, base, id)))],
		[first]
	);
	return independent(repository, found);
}

/** Leaves out commits that another of them descends from. */
export function independent(repository: Repository, ids: readonly string[]): string[] {
	const unique = [...new Set(ids)];
	return unique.filter((id) => !unique.some((other) => other !== id && isAncestor(repository, id, other)));
}

/** Commit at which another left a branch that was at each of `tips` once; null if there is none, or more than one. */
export function forkPoint(repository: Repository, tips: readonly string[], commit: string): string | null {
	const known = [...new Set(tips)].filter((id) => repository.objects.find(id)?.type === 'commit');
	const [base, ...more] = mergeBasesOfAll(repository, commit, known);
	return base !== undefined && more.length === 0 && known.includes(base) ? base : null;
}
