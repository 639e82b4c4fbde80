import { decode } from '../bytes.ts';
import { integerOf } from '../config/values.ts';
import { fatal } from '../errors.ts';
import { OBJECT_TYPES, type ObjectType } from '../objects/object.ts';
import { findRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
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

/** Maximum number of filters in one `combine:`. */
const MOST_COMBINED = 64;

/** Parses a filter specification. @throws GitError if it is invalid */
export function objectFilter(repository: Repository, spec: string): ObjectFilter {
	const wrong = () => fatal(`invalid filter-spec '${spec}'`);
	const [, kind = '', value] = /^([a-z]+)(?::(.*))?$/s.exec(spec) ?? [];
	if (spec === 'blob:none') return ({ type }) => (type === 'blob' ? LEFT_OUT : SHOWN);
	const limit = /^blob:limit=(.*)$/s.exec(spec)?.[1];
	if (limit !== undefined) return smallFiles(repository, integerOf(limit) ?? raise(wrong()));
	if (kind === 'tree') {
		if (value === undefined || !/^\d+$/.test(value)) throw fatal("expected 'tree:<depth>'");
		return shallowTrees(Number(value));
	}
	const sparse = /^sparse:oid=(.*)$/s.exec(spec)?.[1];
	if (sparse !== undefined) return sparseFiles(repository, sparse);
	if (/^sparse:path=/.test(spec)) throw fatal('sparse:path filters support has been dropped');
	const wanted = /^object:type=(.*)$/s.exec(spec)?.[1];
	if (wanted !== undefined) {
		const type = OBJECT_TYPES.find((one) => one === wanted);
		if (!type) throw fatal(`'${wanted}' for 'object:type=<type>' is not a valid object type`);
		return ofType(type);
	}
	if (kind === 'combine') return combined(repository, value ?? '');
	throw wrong();
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

/** Parses filters separated by `+`; other special characters are percent-encoded. */
function combined(repository: Repository, text: string): ObjectFilter {
	if (text === '') throw fatal('expected something after combine:');
	const parts = text.split('+').filter((part) => part !== '');
	if (parts.length > MOST_COMBINED) throw fatal('too many filters are combined');
	const filters = parts.map((part) => {
		const odd = /[~`!@#$^&*()[\]{}\\;'",<>?\s]/.exec(part)?.[0];
		if (odd !== undefined) throw fatal(`must escape char in sub-filter-spec: '${odd}'`);
		return objectFilter(repository, percentDecoded(part));
	});
	return allFilters(filters) ?? raise(fatal('expected something after combine:'));
}

const percentDecoded = (text: string): string =>
	decode(
		Uint8Array.from(
			text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
			(letter) => letter.charCodeAt(0)
		)
	);

function smallFiles({ objects }: Repository, limit: number): ObjectFilter {
	// A missing blob has no known size, so it is not filtered.
	return ({ id, type }) => (type === 'blob' && (objects.find(id)?.content.length ?? 0) >= limit ? LEFT_OUT : SHOWN);
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
	if (found?.type !== 'blob') throw fatal(`unable to access sparse blob in '${name}'`);
	const sparse = new SparsePatterns(decode(found.content));
	return ({ type, path }) => {
		if (type !== 'blob') return { isShown: true, descends: true, changes: 'elsewhere' };
		const isShown = sparse.has(path);
		return { isShown, descends: true, changes: isShown ? 'never' : 'elsewhere' };
	};
}

function raise(error: Error): never {
	throw error;
}
