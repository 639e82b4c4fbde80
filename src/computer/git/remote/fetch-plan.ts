import { fatal } from '../errors.ts';
import { isObjectId } from '../objects/object-id.ts';
import { isRefName } from '../refs/ref-format.ts';
import { REF_RULES } from '../refs/named-ref.ts';
import { isLeftOut, mappedName, sourceOf, type Refspec } from '../refs/refspec.ts';
import type { Repository } from '../repository.ts';
import type { Advertisement } from './advertisement.ts';

/** A reference to fetch. */
export interface FetchItem {
	id: string;
	/** Full name on the remote, `HEAD`, or an id if only that was requested. */
	source: string;
	/** Local name; null to record it only in `FETCH_HEAD`. */
	target: string | null;
	isForced: boolean;
	/** Entry in `FETCH_HEAD`: to be merged by `git pull`, not to be merged, or none. */
	noted: 'merged' | 'unmerged' | 'no';
}

/** Tags to fetch: all, those that point to fetched objects, or none. */
export type TagChoice = 'all' | 'followed' | 'none';

/** References requested by a command. */
export interface FetchWish {
	/** Refspecs from the command line. */
	specs: readonly Refspec[];
	/** Refspecs configured for the remote. */
	configured: readonly Refspec[];
	/** Upstream references of the current branch at this remote; null if its upstream is elsewhere or not set. */
	merges: readonly string[] | null;
	tags: TagChoice;
}

const TAGS: Refspec = { source: 'refs/tags/*', target: 'refs/tags/*', isForced: false, isNegative: false };

/**
 * Plans which references a fetch updates, by git-fetch(1). @throws GitError if a reference does not exist on the remote
 */
export function planFetch(advertisement: Advertisement, wish: FetchWish): FetchItem[] {
	const { specs, configured, merges, tags } = wish;
	const items: FetchItem[] = [];
	if (specs.length > 0) {
		const asked = specs.flatMap((spec) => itemsOf(advertisement, spec, 'merged'));
		items.push(...asked, ...tracked(asked, configured));
	} else if (configured.length > 0 || merges !== null) {
		const [first] = configured;
		for (const spec of configured) items.push(...itemsOf(advertisement, spec, 'unmerged'));
		if (merges === null && first && !first.source.includes('*') && items[0]) items[0].noted = 'merged';
		for (const name of merges ?? []) addMerged(advertisement, items, name);
	} else items.push(...itemsOf(advertisement, { ...TAGS, source: 'HEAD', target: null }, 'merged'));
	if (tags === 'all') items.push(...itemsOf(advertisement, TAGS, 'unmerged'));
	const negative = specs.length > 0 ? specs : configured;
	return unique(items.filter(({ source }) => !isLeftOut(negative, source)));
}

/** Remote-tracking references of the requested references. */
const tracked = (asked: readonly FetchItem[], configured: readonly Refspec[]): FetchItem[] =>
	asked.flatMap(({ id, source }) =>
		configured.flatMap((spec): FetchItem[] => {
			const target = mappedName(spec, source);
			return target === null ? [] : [{ id, source, target, isForced: spec.isForced, noted: 'no' }];
		})
	);

/** Marks a reference for merging by `git pull`, whether a refspec fetches it or not. */
function addMerged(advertisement: Advertisement, items: FetchItem[], name: string): void {
	const full = findSource(advertisement, name);
	const found = items.filter(({ source }) => source === (full?.source ?? name));
	for (const item of found) item.noted = 'merged';
	if (found.length === 0 && full) items.push({ ...full, target: null, isForced: false, noted: 'merged' });
}

function itemsOf(advertisement: Advertisement, spec: Refspec, noted: FetchItem['noted']): FetchItem[] {
	const { source, target, isForced, isNegative } = spec;
	if (isNegative) return [];
	if (source.includes('*'))
		return advertisement.refs
			.filter(({ name }) => name !== 'HEAD')
			.flatMap(({ name, id }): FetchItem[] => {
				const to = mappedName(target === null ? { ...spec, target: source } : spec, name);
				if (to === null || !isRefName(to)) return [];
				return [{ id, source: name, target: target === null ? null : to, isForced, noted }];
			});
	const found = findSource(advertisement, source === '' || source === '@' ? 'HEAD' : source);
	if (!found) throw fatal(`couldn't find remote ref ${source}`);
	return [{ ...found, target: target ? localName(target) : null, isForced, noted }];
}

/** Finds a remote reference by its short name, or an object by its id. */
function findSource({ refs }: Advertisement, name: string): { id: string; source: string } | null {
	for (const rule of REF_RULES) {
		const found = refs.find((ref) => ref.name === rule.replace('*', () => name));
		if (found) return { id: found.id, source: found.name };
	}
	return isObjectId(name) ? { id: name, source: name } : null;
}

/** @throws GitError if the name is not a valid reference name */
function localName(text: string): string {
	const full = text.startsWith('refs/')
		? text
		: /^(?:heads|tags|remotes)\//.test(text)
			? `refs/${text}`
			: `refs/heads/${text}`;
	if (!isRefName(full)) throw fatal(`invalid refspec '${text}'`);
	return full;
}

/** Removes duplicate targets. @throws GitError if two references have the same target */
function unique(items: readonly FetchItem[]): FetchItem[] {
	const byTarget = new Map<string, FetchItem>();
	return items.filter((item) => {
		if (item.target === null) return true;
		const before = byTarget.get(item.target);
		byTarget.set(item.target, before ?? item);
		if (!before) return true;
		if (before.source !== item.source)
			throw fatal(`Cannot fetch both ${before.source} and ${item.source} to ${item.target}`);
		if (before.noted === 'no' || item.noted === 'merged') before.noted = item.noted;
		return false;
	});
}

/** Tags that do not exist here but point to objects that do. */
export function followedTags({ refs, objects }: Repository, { refs: theirs, peeled }: Advertisement): FetchItem[] {
	return theirs
		.filter(({ name, id }) => {
			if (!name.startsWith('refs/tags/') || refs.resolve(name) !== null) return false;
			return objects.has(peeled.get(name) ?? id);
		})
		.map(({ name, id }) => ({ id, source: name, target: name, isForced: false, noted: 'unmerged' }));
}

/** Local references that refspecs would fetch into, but whose source no longer exists on the remote. */
export function staleRefs(
	repository: Repository,
	{ refs: theirs }: Advertisement,
	specs: readonly Refspec[]
): string[] {
	const there = new Set(theirs.map(({ name }) => name));
	return repository.refs
		.list('refs/')
		.map(({ name }) => name)
		.filter((name) => {
			if (repository.refs.symbolic(name) !== null) return false;
			const sources = specs.flatMap((spec) => sourceOf(spec, name) ?? []);
			return sources.length > 0 && !sources.some((source) => there.has(source) && !isLeftOut(specs, source));
		});
}
