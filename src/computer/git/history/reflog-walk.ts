import { parseDate } from '../config/identity.ts';
import { fatal } from '../errors.ts';
import { NULL_ID } from '../objects/object.ts';
import { parseSignature } from '../objects/commit.ts';
import { shortOfMarked } from '../refs/branch-name.ts';
import { referenceNamed } from '../refs/named-ref.ts';
import { shortRefName } from '../refs/short-name.ts';
import type { Repository } from '../repository.ts';
import { agoDate, formatDate } from './dates.ts';
import type { ReflogPlace, Revision } from './walk.ts';

/** Commit from a reflog entry. */
interface LoggedRevision extends Revision {
	reflog: ReflogPlace;
}

/** Start of a reflog walk: `main@{2}`, `main@{yesterday}`. */
interface Beginning {
	/** Ref name for display. */
	name: string;
	full: string;
	/** Number or date of the entry to start at; undefined: the newest. */
	place: string | undefined;
}

/**
 * Commits of reflogs, the newest entry first; several reflogs are merged by date.
 *
 * @param names refs, optionally with the entry to start at
 * @param date format of the dates shown instead of entry numbers; null for numbers
 * @throws GitError for a name that is not a ref
 */
export function* walkReflogs(
	repository: Repository,
	names: readonly string[],
	date: string | null
): Generator<Revision> {
	const seconds = (next: IteratorResult<LoggedRevision, void>) => next.value?.reflog.who.seconds ?? -Infinity;
	let open = names.map((name) => {
		const entries = walkReflog(repository, name, date);
		return { entries, next: entries.next() };
	});
	for (;;) {
		open = open.filter(({ next }) => !next.done);
		if (open.length === 0) return;
		const newest = open.reduce((best, one) => (seconds(one.next) > seconds(best.next) ? one : best));
		if (newest.next.value) yield newest.next.value;
		newest.next = newest.entries.next();
	}
}

function* walkReflog(repository: Repository, text: string, date: string | null): Generator<LoggedRevision, void> {
	const { refs, files } = repository;
	const { name, full, place: start } = beginningOf(repository, text);
	const entries = refs.reflog(full);
	const isNumber = start !== undefined && /^\d+$/.test(start);
	const time = start === undefined || isNumber ? null : (parseDate(start) ?? agoDate(start, files.now()));
	const first = isNumber
		? Number(start)
		: time
			? entries.findIndex(({ who }) => parseSignature(who).seconds <= time.seconds)
			: 0;
	const showsDate = time !== null || (date !== null && !isNumber);
	const shortRef = shortRefName(refs, full, false);
	for (const [at, { to, who, message }] of entries.entries()) {
		if (first < 0 || at < first || to === NULL_ID || repository.objects.find(to)?.type !== 'commit') continue;
		const person = parseSignature(who);
		const place = showsDate ? (formatDate(person, date ?? 'default', files.now()) ?? '') : String(at);
		yield { id: to, commit: repository.commit(to), reflog: { ref: name, shortRef, place, message, who: person } };
	}
}

function beginningOf(repository: Repository, text: string): Beginning {
	const [, before = text, behind] = /^(.*)@\{([^{}]*)\}$/s.exec(text) ?? [];
	const isMark = behind !== undefined && /^(?:-\d+|u|upstream|push)$/i.test(behind);
	const [given, place] = isMark ? [text, undefined] : [before, behind];
	const full = given === '' ? repository.refs.target('HEAD') : referenceNamed(repository, given);
	if (full === null)
		throw fatal(
			`ambiguous argument '${text}': unknown revision or path not in the working tree.\n` +
				"Use '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'"
		);
	return { name: given === '' ? full : shownName(repository, given, full), full, place };
}

/** Ref as named by the user, or its full name if the given one expands to anything but a branch. */
function shownName(repository: Repository, given: string, full: string): string {
	const name = shortOfMarked(repository, given, 'refs/heads/') ?? given;
	return [name, `refs/${name}`, `refs/heads/${name}`].includes(full) ? name : full.replace(/^refs\/heads\//, '');
}
