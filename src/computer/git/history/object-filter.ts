import { decode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { ObjectType } from '../objects/object.ts';
import { findRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { parseFilter, type FilterSpec } from './filter-spec.ts';
import { SparsePatterns } from '../worktree/sparse-patterns.ts';

/** An object encountered by a walk. */
export interface MetObject {
	id: string;
	type: ObjectType;
	/** Path from the root tree; '' for a root tree and for objects that no tree contains. */
	path: string;
	/** Depth in the tree hierarchy. */
	depth: number;
}

/** Result of a filter for an object. */
export interface Verdict {
	isShown: boolean;
	/** The walk also visits the entries of the tree. */
	descends: boolean;
	/**
	 * Under which circumstances the result may differ for the same object: never, at a lower depth, or at another path.
	 */
	changes: 'never' | 'less deep' | 'elsewhere';
}

/** Object filter as specified by `--filter` of a walk or a transfer (git-rev-list(1)). */
export type ObjectFilter = (met: MetObject) => Verdict;

const CHANGES = ['elsewhere', 'less deep'] as const;

const SHOWN: Verdict = { isShown: true, descends: true, changes: 'never' };
const LEFT_OUT: Verdict = { isShown: false, descends: true, changes: 'never' };

/** Filter by its specification. @throws GitError if that is invalid */
export const objectFilter = (repository: Repository, text: string): ObjectFilter =>
	filterOf(repository, parseFilter(text));

export function filterOf(repository: Repository, spec: FilterSpec): ObjectFilter {
	switch (spec.kind) {
		case 'blob:none':
			return ({ type }) => (type === 'blob' ? LEFT_OUT : SHOWN);
		case 'blob:limit':
			return smallFiles(repository, spec.limit);
		case 'tree':
			return shallowTrees(spec.depth);
		case 'sparse:oid':
			return sparseFiles(repository, spec.name);
		case 'object:type':
			return ofType(spec.type);
		case 'combine':
			return allFilters(spec.parts.map((part) => filterOf(repository, part))) ?? (() => SHOWN);
	}
}

/** Combines filters: an object must pass all of them. null if there are none. */
export function allFilters(filters: readonly ObjectFilter[]): ObjectFilter | null {
	const [only, ...others] = filters;
	if (!only || others.length === 0) return only ?? null;
	return (met) => {
		const verdicts = filters.map((filter) => filter(met));
		return {
			isShown: verdicts.every(({ isShown }) => isShown),
			descends: verdicts.every(({ descends }) => descends),
			changes: CHANGES.find((one) => verdicts.some(({ changes }) => changes === one)) ?? 'never'
		};
	};
}

function smallFiles({ objects }: Repository, limit: number): ObjectFilter {
	// A missing blob has no known size, so it is not filtered.
	return ({ id, type }) =>
		type === 'blob' && (objects.findPresent(id)?.content.length ?? 0) >= limit ? LEFT_OUT : SHOWN;
}

function shallowTrees(limit: number): ObjectFilter {
	return ({ type, depth }) => {
		if (type === 'commit' || type === 'tag') return SHOWN;
		// An omitted object, or a tree with omitted parts, may also occur at a lower depth.
		if (depth >= limit) return { isShown: false, descends: false, changes: 'less deep' };
		return { isShown: true, descends: true, changes: type === 'blob' ? 'never' : 'less deep' };
	};
}

function ofType(wanted: ObjectType): ObjectFilter {
	const order: readonly ObjectType[] = ['tag', 'commit', 'tree', 'blob'];
	return ({ type }) => ({
		isShown: type === wanted,
		descends: order.indexOf(wanted) >= order.indexOf('tree'),
		changes: 'never'
	});
}

/** Filter for files that match sparse-checkout patterns, which are stored in a blob of the repository. */
function sparseFiles(repository: Repository, name: string): ObjectFilter {
	const id = findRevision(repository, name);
	const found = id === null ? null : repository.objects.find(id);
	if (id === null) throw fatal(`unable to access sparse blob in '${name}'`);
	if (found?.type !== 'blob') throw fatal(`unable to parse sparse filter data in ${id}`);
	const sparse = new SparsePatterns(decode(found.content));
	return ({ type, path }) => {
		if (type !== 'blob') return { isShown: true, descends: true, changes: 'elsewhere' };
		const isShown = sparse.has(path);
		return { isShown, descends: true, changes: isShown ? 'never' : 'elsewhere' };
	};
}
