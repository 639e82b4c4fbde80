import { GitError } from '../errors.ts';
import { findRevision, pathColon } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { decode } from '../bytes.ts';
import { objectFilter, allFilters } from './object-filter.ts';
import { type NamedObject, type ObjectWalk, type WalkedObject, type WalkHow } from './object-walk.ts';
import { promisedIds, receivedFromPromisors } from './promised-objects.ts';
import type { Revision } from './walk.ts';
import type { Options } from '../options.ts';
import { taggedId } from '../objects/tag.ts';

/** Options of commands that list objects, to filter them. */
export const OBJECT_OPTIONS = {
	filter: '--filter = !',
	filterProvided: '--filter-provided-objects',
	printOmitted: '--filter-print-omitted',
	missing: '--missing =',
	noPromised: '--exclude-promisor-objects'
};

/** Starting point of a list that is not a commit. */
export interface NamedStart extends NamedObject {
	/** Excludes what is reachable from it. */
	isHidden: boolean;
}

/** Names of commits and ranges, and of other objects. */
export interface SplitNames {
	commits: string[];
	others: NamedStart[];
}

/** Splits names into revisions, and tags, trees and blobs. A tag of a commit is in both groups. */
export function splitNames(repository: Repository, names: readonly string[]): SplitNames {
	const split: SplitNames = { commits: [], others: [] };
	for (const text of names.flatMap((name) => rangeEnds(repository, name))) {
		const isHidden = text.startsWith('^');
		const name = isHidden ? text.slice(1) : text;
		const id = findRevision(repository, name);
		const object = id === null ? null : repository.objects.find(id);
		if (id === null || !object || object.type === 'commit') {
			split.commits.push(text);
			continue;
		}
		const colon = pathColon(name);
		split.others.push(...namedStart(repository, id, colon < 0 ? '' : name.slice(colon + 1), isHidden));
		const target = repository.peeled(id);
		if (repository.objects.find(target)?.type === 'commit') split.commits.push(isHidden ? `^${target}` : target);
	}
	return split;
}

/** Splits a range `A..B` into `^A` and `B`, whose tags are listed like those of single revisions. */
function rangeEnds(repository: Repository, text: string): string[] {
	const [, left, right] = /^((?:(?!\.\.).)*)\.\.((?!\.).*)$/s.exec(text) ?? [];
	if (left === undefined || right === undefined) return [text];
	const [from, to] = [left || 'HEAD', right || 'HEAD'];
	const isRange = [from, to].every((end) => findRevision(repository, end) !== null);
	return isRange ? [`^${from}`, to] : [text];
}

/** An object other than a commit as a starting point; a tag is listed under the name stored in it. */
export function namedStart({ objects }: Repository, id: string, path: string, isHidden: boolean): NamedStart[] {
	const starts: NamedStart[] = [];
	for (let next = id, found = objects.find(next); found; found = objects.find(next)) {
		if (found.type !== 'tag') {
			if (found.type !== 'commit') starts.push({ id: next, name: next === id ? path : '', isHidden });
			break;
		}
		starts.push({ id: next, name: /^tag (.*)$/m.exec(decode(found.content))?.[1] ?? '', isHidden });
		next = taggedId(found.content);
	}
	return starts;
}

/** Walk options from the command line. @throws GitError if a value is invalid */
export function walkHow(repository: Repository, options: Options<keyof typeof OBJECT_OPTIONS>): WalkHow {
	const missing = options.get('missing') ?? 'error';
	const kinds = ['error', 'allow-any', 'allow-promisor', 'print'];
	if (!kinds.includes(missing)) throw new GitError(`fatal: invalid value for '--missing': '${missing}'`, 128);
	const isExcluded = options.has('noPromised');
	return {
		...(isExcluded && { excluded: receivedFromPromisors(repository) }),
		...((isExcluded || missing === 'allow-promisor') && { promised: promisedIds(repository) }),
		filter: allFilters(options.all('filter').map((spec) => objectFilter(repository, spec))),
		filtersNamed: options.has('filterProvided'),
		collectsOmitted: options.has('printOmitted'),
		missing: missing === 'print' ? 'collect' : missing === 'allow-any' ? 'allow' : 'error'
	};
}

/**
 * Prepares a walk whose options say what to do with missing objects: these are not fetched. Histories end before
 * promisor objects if the options exclude them. Returns whether a commit is excluded.
 */
export function examinePresent(
	repository: Repository,
	options: Options<keyof typeof OBJECT_OPTIONS>
): (id: string) => boolean {
	if (options.has('noPromised') || (options.get('missing') ?? 'error') !== 'error') repository.objects.fetchNothing();
	if (!options.has('noPromised')) return () => false;
	const received = receivedFromPromisors(repository);
	const promised = promisedIds(repository);
	const isExcluded = (id: string) => received.has(id) || (promised.has(id) && !repository.objects.has(id));
	repository.endHistoryBefore(isExcluded);
	return (id) => received.has(id);
}

/** Lists objects other than commits: named ones, then those in the commits, except hidden ones. */
export function* listedObjects(
	walk: ObjectWalk,
	revisions: readonly Revision[],
	others: readonly NamedStart[]
): Generator<WalkedObject> {
	for (const start of others) if (!start.isHidden) yield* walk.named(start);
	for (const { id } of revisions) yield* walk.ofCommit(id);
}

/**
 * Hides the contents of excluded commits and of the boundary: parents of shown commits that are not shown themselves.
 */
export function hideEdges(
	walk: ObjectWalk,
	revisions: readonly Revision[],
	exclude: readonly string[],
	others: readonly NamedStart[]
): string[] {
	const shown = new Set(revisions.map(({ id }) => id));
	const beside = revisions.flatMap(({ commit }) => commit.parents.filter((parent) => !shown.has(parent)));
	const edges = [...new Set([...exclude, ...beside])];
	for (const id of edges) walk.hide(id);
	for (const { id, isHidden } of others) if (isHidden) walk.hide(id);
	return edges;
}
