import { parseDate } from '../config/identity.ts';
import { compareTrees, pathOf, type Change } from '../diff/change.ts';
import { PICKAXE_OPTIONS, pickaxeTest, readsContents } from '../diff/pickaxe.ts';
import { prefetchChanges } from '../diff/prefetch-sides.ts';
import { findRenames } from '../diff/renames.ts';
import { fatal } from '../errors.ts';
import type { Signature } from '../objects/commit.ts';
import type { Options } from '../options.ts';
import type { Repository } from '../repository.ts';
import type { Pathspec } from '../worktree/pathspec.ts';
import { agoDate } from './dates.ts';
import type { SearchPatterns } from './highlight.ts';
import { mailmapOf } from './mailmap.ts';
import { lineRegex, type RegexSyntax } from './regex.ts';
import type { Revision } from './walk.ts';

/** Options that select commits in `log`, `rev-list` and `shortlog`. */
export const HISTORY_OPTIONS = {
	count: '-n --max-count -<number> =',
	skip: '--skip =',
	reverse: '--reverse',
	author: '--author =',
	committer: '--committer =',
	grep: '--grep =',
	invert: '--invert-grep',
	allMatch: '--all-match',
	ignoreCase: '-i --regexp-ignore-case',
	extended: '-E --extended-regexp',
	fixed: '-F --fixed-strings',
	perl: '-P --perl-regexp',
	basic: '--basic-regexp',
	since: '--since --after =',
	sinceAsFilter: '--since-as-filter =',
	until: '--until --before =',
	merges: '--merges',
	noMerges: '--no-merges',
	minParents: '--min-parents =',
	maxParents: '--max-parents =',
	firstParent: '--first-parent',
	...PICKAXE_OPTIONS
};

/** Prefixes of the refs that an option names. */
export const REF_SPACES = { branches: 'refs/heads/', tags: 'refs/tags/', remotes: 'refs/remotes/' } as const;

type Choice = Options<keyof typeof HISTORY_OPTIONS>;

/** Parses a date in any common notation to seconds since 1970. @throws GitError for an invalid date */
export function dateOf(text: string, nowMs: number): number {
	const found = parseDate(text) ?? agoDate(text, nowMs);
	if (!found) throw fatal(`'${text}' is not a date that is understood here: give YYYY-MM-DD, or '2 weeks ago'`);
	return found.seconds;
}

/** Parses an expiry date: the time, in milliseconds, before which entries are expired. */
export function expiryMs(text: string, nowMs: number): number {
	if (text === 'never' || text === 'false') return -Infinity;
	if (text === 'now' || text === 'all') return Infinity;
	return dateOf(text, nowMs) * 1000;
}

const SYNTAXES = ['fixed', 'perl', 'extended', 'basic'] as const;

/** Pattern syntax by the last option that sets it, then by `grep.patternType` and `grep.extendedRegexp`. */
function searchSyntax({ config }: Repository, options: Choice): RegexSyntax {
	const asked = options.latest(...SYNTAXES);
	if (asked !== undefined) return asked;
	const set = config.get('grep.patterntype') ?? 'default';
	if (set === 'default') return config.flag('grep.extendedregexp', false) ? 'extended' : 'basic';
	const found = SYNTAXES.find((one) => one === set);
	if (found === undefined) throw fatal(`bad grep.patterntype argument: ${set}`);
	return found;
}

/** Patterns that select commits. @throws GitError for a malformed one */
export function searchPatterns(repository: Repository, options: Choice): SearchPatterns {
	const syntax = searchSyntax(repository, options);
	const pattern = (text: string) => lineRegex(text, syntax, options.has('ignoreCase'));
	return {
		authors: options.all('author').map(pattern),
		committers: options.all('committer').map(pattern),
		messages: options.all('grep').map(pattern)
	};
}

/**
 * Creates a filter for the requested commits.
 *
 * @param pathspec changes that `-S` and `-G` search
 * @param isMapped matches people by their mailmap names
 * @throws GitError for an invalid date or pattern
 */
export function historyFilter(
	repository: Repository,
	options: Choice,
	{
		pathspec,
		isMapped = false,
		isMergePicked
	}: {
		pathspec?: Pathspec | undefined;
		isMapped?: boolean | undefined;
		/** Decides by `-S` and `-G` whether a merge is selected; by default, none is. */
		isMergePicked?: ((revision: Revision) => boolean) | undefined;
	} = {}
): (revision: Revision) => boolean {
	const { authors, committers, messages: texts } = searchPatterns(repository, options);
	const named = (person: Signature) => {
		const { name, email } = isMapped ? mailmapOf(repository).mapped(person) : person;
		return `${name} <${email}>`;
	};
	const time = (text: string | undefined) => (text === undefined ? null : dateOf(text, repository.files.now()));
	const since = time(options.get('since') ?? options.get('sinceAsFilter'));
	const until = time(options.get('until'));
	const fewest = Math.max(Number(options.get('minParents') ?? 0), options.has('merges') ? 2 : 0);
	const most = Math.min(Number(options.get('maxParents') ?? Infinity), options.has('noMerges') ? 1 : Infinity);
	const isPicked = pickaxeTest(repository, options, options.has('ignoreCase'));
	return (revision) => {
		const { commit } = revision;
		const count = commit.parents.length;
		if (count < fewest || count > most) return false;
		if (since !== null && commit.committer.seconds < since) return false;
		if (until !== null && commit.committer.seconds > until) return false;
		if (authors.length > 0 && !authors.some((one) => one.test(named(commit.author)))) return false;
		if (committers.length > 0 && !committers.some((one) => one.test(named(commit.committer)))) return false;
		if (texts.length > 0) {
			const test = (one: RegExp) => one.test(commit.message);
			const found = options.has('allMatch') ? texts.every(test) : texts.some(test);
			if (found === options.has('invert')) return false;
		}
		if (isPicked !== null && count > 1 && isMergePicked) return isMergePicked(revision);
		if (isPicked === null) return true;
		const changes = changesOf(repository, revision, pathspec);
		if (readsContents(options)) prefetchChanges(repository, changes);
		return changes.some(isPicked);
	};
}

/** Changes of a commit against its first parent; none for a merge. */
function changesOf(repository: Repository, { commit }: Revision, pathspec: Pathspec | undefined): Change[] {
	if (commit.parents.length > 1) return [];
	const parent = commit.parents[0];
	const before = parent === undefined ? null : repository.commit(parent).tree;
	const changes = compareTrees(repository.objects, before, commit.tree);
	return findRenames(repository, pathspec ? changes.filter((change) => pathspec.matches(pathOf(change))) : changes);
}
