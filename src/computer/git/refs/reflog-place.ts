import { fatal, type GitError } from '../errors.ts';
import { parseDate } from '../config/identity.ts';
import { agoDate, formatDate } from '../history/dates.ts';
import { parseSignature } from '../objects/commit.ts';
import { NULL_ID } from '../objects/object.ts';
import type { Repository } from '../repository.ts';
import { referenceNamed } from './named-ref.ts';
import type { ReflogEntry } from './refs.ts';

/** Entry in a reflog: `main@{1}`, `@{yesterday}`. */
export interface PastName {
	name: string;
	at: string;
}

/** Splits a name with a reflog selector; null if it has none. */
export function splitReflog(text: string): PastName | null {
	const [, name, at = ''] = /^(.*)@\{([^{}]*)\}$/s.exec(text) ?? [];
	return name === undefined || /^(?:-\d+|u|upstream|push)$/i.test(at) ? null : { name, at };
}

const isNumber = (at: string): boolean => /^\d{1,8}$/.test(at);

/** The reference whose reflog is meant; without a name, that of the current branch. */
function loggedRef(repository: Repository, { name }: PastName): string | null {
	const { refs } = repository;
	if (name === '') return refs.target('HEAD');
	const found = referenceNamed(repository, name);
	if (found === null || refs.hasReflog(found)) return found;
	// A symbolic reference may share the reflog of its target.
	const target = refs.target(found);
	return refs.hasReflog(target) ? target : null;
}

/** Error for an entry that is not in the reflog; null if there is no such reference. */
export function reflogFault(repository: Repository, place: PastName): GitError | null {
	const full = loggedRef(repository, place);
	if (full === null || findByReflog(repository, place) !== null) return null;
	const count = repository.refs.reflog(full).length;
	if (place.at === '0') return null;
	if (count === 0) return fatal(`log for ${full} is empty`);
	if (!isNumber(place.at)) return null;
	return fatal(`log for '${shownName(place, full)}' only has ${count} entries`);
}

const shownName = ({ name }: PastName, full: string): string =>
	name === '' ? (/^refs\/heads\/(.*)$/.exec(full)?.[1] ?? 'HEAD') : name;

/** Finds the value that a reflog selector refers to, or null. Warns if the reflog is incomplete there. */
export function findByReflog(repository: Repository, place: PastName): string | null {
	const full = loggedRef(repository, place);
	if (full === null) return null;
	const entries = repository.refs.reflog(full);
	if (!isNumber(place.at)) return findByDate(repository, place, full, entries);
	const index = Number(place.at);
	if (index === 0) return repository.refs.resolve(full);
	// The value n changes ago is the old id of the nth newest entry; an entry that creates the reference has none.
	const change = entries.findIndex(({ from }, at) => at >= index - 1 && from !== NULL_ID);
	if (change < 0) return null;
	warnOfGap(repository, full, entries, change);
	return entries[change]!.from;
}

function findByDate(
	repository: Repository,
	place: PastName,
	full: string,
	entries: readonly ReflogEntry[]
): string | null {
	const date = parseDate(place.at) ?? agoDate(place.at, repository.files.now());
	const oldest = entries.at(-1);
	if (!date || !oldest) return null;
	const index = entries.findIndex(({ who }) => parseSignature(who).seconds <= date.seconds);
	if (index < 0) {
		// Before the oldest entry: use the first known value.
		repository.warn(`log for '${shownName(place, full)}' only goes back to ${dateOf(oldest)}`);
		return oldest.from === NULL_ID ? oldest.to : oldest.from;
	}
	const { who, to } = entries[index]!;
	const newer = entries[index - 1];
	if (parseSignature(who).seconds === date.seconds || (newer && newer.from !== NULL_ID)) {
		warnOfGap(repository, full, entries, index);
		return to;
	}
	// The newest entry at that time should match the current value.
	const now = repository.refs.resolve(full);
	if (now !== to) repository.warn(`log for ref ${full} unexpectedly ended on ${dateOf(entries[index]!)}`);
	return now;
}

function warnOfGap(repository: Repository, full: string, entries: readonly ReflogEntry[], index: number): void {
	const entry = entries[index]!;
	const newer = entries[index - 1];
	if (newer && newer.from !== NULL_ID && newer.from !== entry.to)
		repository.warn(`log for ref ${full} has gap after ${dateOf(entry)}`);
}

const dateOf = ({ who }: ReflogEntry): string => formatDate(parseSignature(who), 'rfc', 0) ?? '';
