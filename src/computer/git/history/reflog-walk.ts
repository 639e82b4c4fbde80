import { fatal } from '../errors.ts';
import { parseDate } from '../config/identity.ts';
import { parseSignature } from '../objects/commit.ts';
import type { Options } from '../options.ts';
import { shortOfMarked } from '../refs/branch-name.ts';
import { referenceNamed, shortRefName } from '../refs/named-ref.ts';
import type { Repository } from '../repository.ts';
import type { Pathspec } from '../worktree/pathspec.ts';
import { agoDate, formatDate } from './dates.ts';
import { historyFilter, touches, type HISTORY_OPTIONS } from './filter.ts';
import type { ReflogMark, Revision } from './walk.ts';

/** A commit that a history of references has. */
interface LoggedRevision extends Revision {
	reflog: ReflogMark;
}

/** History of one reference. */
interface Log {
	/** As it is shown. */
	name: string;
	full: string;
	/** Index of the first entry. */
	start: number;
	/** Entries are shown by their dates. */
	isDated: boolean;
	/** Entries are shown by their numbers, whatever `--date` says. */
	isCounted: boolean;
}

/** Commits of the histories of references, the newest entry first. */
export function* walkReflogs(
	repository: Repository,
	options: Options<keyof typeof HISTORY_OPTIONS | 'date'>,
	names: readonly string[],
	pathspec: Pathspec
): Generator<LoggedRevision> {
	const wanted = historyFilter(repository, options);
	const limit = Number(options.get('count') ?? -1);
	let left = limit < 0 ? Infinity : limit;
	let skip = Number(options.get('skip') ?? 0);
	for (const revision of entries(repository, names, options.get('date'))) {
		if (left <= 0) return;
		if (!touches(repository, revision, pathspec) || !wanted(revision) || skip-- > 0) continue;
		left--;
		yield revision;
	}
}

/** All entries; of several histories always the newer one. */
function* entries(
	repository: Repository,
	names: readonly string[],
	form: string | undefined
): Generator<LoggedRevision> {
	const logs = names.map((name) => [...entriesOf(repository, logNamed(repository, name), form)]);
	for (;;) {
		const open = logs.filter((log) => log.length > 0);
		if (open.length === 0) return;
		const newest = open.reduce((best, log) => (log[0]!.reflog.who.seconds > best[0]!.reflog.who.seconds ? log : best));
		yield newest.shift()!;
	}
}

function* entriesOf(repository: Repository, log: Log, form: string | undefined): Generator<LoggedRevision> {
	const { objects, refs } = repository;
	const short = shortRefName(repository, log.full, false);
	const isDated = log.isDated || (form !== undefined && !log.isCounted);
	for (const [at, { to, who: text, message }] of refs.reflog(log.full).entries()) {
		// What a tree or a tag stood for once is no commit to show.
		if (at < log.start || objects.find(to)?.type !== 'commit') continue;
		const who = parseSignature(text);
		const place = isDated ? (formatDate(who, form ?? 'default', repository.files.now()) ?? '') : String(at);
		yield {
			id: to,
			commit: repository.commit(to),
			reflog: { selector: `${log.name}@{${place}}`, shortSelector: `${short}@{${place}}`, who, message }
		};
	}
}

/** @throws GitError for a name that stands for no reference */
function logNamed(repository: Repository, text: string): Log {
	const [, name = text, at] = /^(.*)@\{([^{}]*)\}$/s.exec(text) ?? [];
	const isMark = at !== undefined && /^(?:-\d+|u|upstream|push)$/i.test(at);
	const given = isMark || at === undefined ? text : name;
	const isCounted = !isMark && at !== undefined && /^\d+$/.test(at);
	const full = given === '' ? repository.refs.target('HEAD') : referenceNamed(repository, given);
	if (full === null) throw fatal(`no reflog for '${text}'`);
	const log = repository.refs.reflog(full);
	const isDated = !isMark && at !== undefined && !isCounted;
	const date = isDated ? (parseDate(at) ?? agoDate(at, repository.files.now())) : null;
	const dated = date === null ? -1 : log.findIndex(({ who }) => parseSignature(who).seconds <= date.seconds);
	const start = isCounted ? Number(at) : Math.max(0, dated);
	return { name: shownName(repository, given, full), full, start, isDated, isCounted };
}

/** A reference as it was named; under its full name where that is longer than `refs/heads/`. */
function shownName(repository: Repository, given: string, full: string): string {
	const name = shortOfMarked(repository, given, 'refs/heads/') ?? given;
	return [name, `refs/${name}`, `refs/heads/${name}`].includes(full) ? name : full.replace(/^refs\/heads\//, '');
}
