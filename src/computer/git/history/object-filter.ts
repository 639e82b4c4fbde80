import { decode } from '../bytes.ts';
import { integerOf } from '../config/values.ts';
import { fatal } from '../errors.ts';
import { OBJECT_TYPES, type ObjectType } from '../objects/object.ts';
import { findRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { SparsePatterns } from '../worktree/sparse-patterns.ts';

/** An object that a walk meets. */
export interface MetObject {
	id: string;
	type: ObjectType;
	/** Path from the top of the tree; '' for a tree at the top and for what no tree leads to. */
	path: string;
	/** Number of trees above it. */
	depth: number;
}

/** A filter's answer for an object. */
export interface Verdict {
	isShown: boolean;
	/** The objects of a tree are met, too. */
	descends: boolean;
	/** Places at which the answer may be another one: nowhere, less deep, on another path. */
	changes: 'never' | 'less deep' | 'elsewhere';
}

/** Chooses among objects, as `--filter` of a walk or of a transfer asks (git-rev-list(1)). */
export type ObjectFilter = (met: MetObject) => Verdict;

const CHANGES = ['elsewhere', 'less deep'] as const;

const SHOWN: Verdict = { isShown: true, descends: true, changes: 'never' };
const LEFT_OUT: Verdict = { isShown: false, descends: true, changes: 'never' };

/** Filters in one `combine:`; more are refused. */
const MOST_COMBINED = 64;

/** Reads a filter as it is written. @throws GitError for one that git has not */
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

/** All of some filters at once; null where there is none. */
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

/** Filters with `+` between them, in which other signs are written as in an address. */
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
	// A content that is not here has no size to be left out for.
	return ({ id, type }) => (type === 'blob' && (objects.find(id)?.content.length ?? 0) >= limit ? LEFT_OUT : SHOWN);
}

function shallowTrees(limit: number): ObjectFilter {
	return ({ type, depth }) => {
		if (type === 'commit' || type === 'tag') return SHOWN;
		// What is left out here may lie less deep elsewhere, and so may a tree whose parts are left out.
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

/** Files that a sparse checkout with the patterns of a file in the repository has. */
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
