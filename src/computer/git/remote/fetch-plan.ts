import { fatal } from '../errors.ts';
import { isRefName } from '../refs/ref-format.ts';
import { REF_RULES } from '../refs/named-ref.ts';
import { isLeftOut, mappedName, sourceOf, type Refspec } from '../refs/refspec.ts';
import type { Repository } from '../repository.ts';
import type { Advertisement } from './connection.ts';

/** A reference to fetch. */
export interface FetchItem {
	id: string;
	/** Full name on the other side, `HEAD`, or the id where only that was asked for. */
	source: string;
	/** Name that it has here; null where only `FETCH_HEAD` knows it. */
	target: string | null;
	isForced: boolean;
	/** Place in `FETCH_HEAD`: what `git pull` merges, what it does not, or none. */
	noted: 'merged' | 'unmerged' | 'no';
}

/** Tags that are fetched: all, those of what is fetched, or none. */
export type TagChoice = 'all' | 'followed' | 'none';

/** References that a command asks for. */
export interface FetchWish {
	/** Refspecs of the command line. */
	specs: readonly Refspec[];
	/** Refspecs of the remote. */
	configured: readonly Refspec[];
	/** References that the current branch follows at this remote; null where it follows another or none. */
	merges: readonly string[] | null;
	tags: TagChoice;
}

const TAGS: Refspec = { source: 'refs/tags/*', target: 'refs/tags/*', isForced: false, isNegative: false };

/** References that a fetch brings here, by git-fetch(1). @throws GitError for a reference that is not there */
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

/** Names that a remote gives here to what was asked for. */
const tracked = (asked: readonly FetchItem[], configured: readonly Refspec[]): FetchItem[] =>
	asked.flatMap(({ id, source }) =>
		configured.flatMap((spec): FetchItem[] => {
			const target = mappedName(spec, source);
			return target === null ? [] : [{ id, source, target, isForced: spec.isForced, noted: 'no' }];
		})
	);

/** Lets `git pull` merge a reference, fetched by a refspec or not. */
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

/** A reference of the other side by a short name, or an object by its id. */
function findSource({ refs }: Advertisement, name: string): { id: string; source: string } | null {
	for (const rule of REF_RULES) {
		const found = refs.find((ref) => ref.name === rule.replace('*', () => name));
		if (found) return { id: found.id, source: found.name };
	}
	return /^[0-9a-f]{40}$/.test(name) ? { id: name, source: name } : null;
}

/** @throws GitError for a name that no reference can have */
function localName(text: string): string {
	const full = text.startsWith('refs/')
		? text
		: /^(?:heads|tags|remotes)\//.test(text)
			? `refs/${text}`
			: `refs/heads/${text}`;
	if (!isRefName(full)) throw fatal(`invalid refspec '${text}'`);
	return full;
}

/** Each target once. @throws GitError where two references are to have one name */
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

/** Tags that are not here yet, of objects that are. */
export function followedTags({ refs, objects }: Repository, { refs: theirs, peeled }: Advertisement): FetchItem[] {
	return theirs
		.filter(({ name, id }) => {
			if (!name.startsWith('refs/tags/') || refs.resolve(name) !== null) return false;
			return objects.has(peeled.get(name) ?? id);
		})
		.map(({ name, id }) => ({ id, source: name, target: name, isForced: false, noted: 'unmerged' }));
}

/** References here that refspecs would fetch into, whose source is gone from the other side. */
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
