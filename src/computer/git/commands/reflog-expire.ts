import { fatal } from '../errors.ts';
import { dateOf } from '../history/filter.ts';
import { ancestors } from '../history/walk.ts';
import type { Invocation } from '../invocation.ts';
import { parseSignature } from '../objects/commit.ts';
import { NULL_ID } from '../objects/object.ts';
import { parseOptions } from '../options.ts';
import { referenceNamed } from '../refs/named-ref.ts';
import { rewriteChain } from '../refs/reflog-chain.ts';
import type { ReflogEntry } from '../refs/refs.ts';
import type { Repository } from '../repository.ts';
import { wildmatch } from '../worktree/wildmatch.ts';

const USAGE =
	'reflog expire [--expire=<time>] [--expire-unreachable=<time>] [--rewrite] [--updateref] [--stale-fix]\n' +
	'                  [--dry-run | -n] [--verbose] [--all [--single-worktree] | <refs>...]';

const DAY = 86_400;
/** Default number of days for which entries are kept, and those unreachable from the ref's tip. */
const USUAL_DAYS = { total: 90, unreachable: 30 };

/** Times in seconds; older entries are removed. */
interface Limits {
	total: number;
	unreachable: number;
}

/** `git reflog expire`: removes old entries from reflogs. */
export function expireReflogs(git: Invocation, args: string[]): number {
	const options = parseOptions(USAGE, args, {
		expire: '--expire =',
		unreachable: '--expire-unreachable =',
		rewrite: '--rewrite',
		updateRef: '--updateref',
		staleFix: '--stale-fix',
		dryRun: '-n --dry-run',
		verbose: '--verbose',
		all: '--all',
		// Ignored: reflogs of other worktrees' HEADs are never expired.
		singleWorktree: '--single-worktree'
	});
	const { repository } = git;
	const { refs } = repository;
	const { operands } = options;
	const given = { total: options.get('expire'), unreachable: options.get('unreachable') };
	if (options.has('all')) operands.push(...refs.reflogNames());
	let code = 0;
	for (const text of operands) {
		const ref = refs.hasReflog(text) ? text : referenceNamed(repository, text);
		if (ref === null || !refs.hasReflog(ref)) {
			git.err(`error: '${text}' points nowhere!\n`);
			code = 255;
			continue;
		}
		const kept = keptEntries(git, ref, limitsOf(repository, ref, given), {
			checksObjects: options.has('staleFix'),
			isVerbose: options.has('verbose')
		});
		if (options.has('dryRun')) continue;
		if (options.has('rewrite')) rewriteChain(kept);
		refs.writeReflog(ref, kept);
		if (options.has('updateRef') && kept[0] && refs.symbolic(ref) === null) refs.note(ref, kept[0].to);
	}
	return code;
}

/** Options for examining entries. */
interface Judging {
	/** Removes entries whose objects are incomplete. */
	checksObjects: boolean;
	isVerbose: boolean;
}

/** Entries to keep, newest first. */
function keptEntries(git: Invocation, ref: string, limits: Limits, how: Judging): ReflogEntry[] {
	const { repository } = git;
	const entries = repository.refs.reflog(ref);
	const reached = limits.unreachable > 0 ? reachedFrom(repository, ref) : null;
	const isGone = ({ from, to, who }: ReflogEntry): boolean => {
		const { seconds } = parseSignature(who);
		if (seconds < limits.total) return true;
		if (how.checksObjects && ![from, to].every((id) => id === NULL_ID || isWhole(repository, id))) return true;
		if (seconds >= limits.unreachable || reached === null) return false;
		return [from, to].some((id) => id !== NULL_ID && isCommit(repository, id) && !reached.has(repository.peeled(id)));
	};
	const kept: ReflogEntry[] = [];
	for (const entry of [...entries].reverse()) {
		const gone = isGone(entry);
		if (how.isVerbose) git.out(`${gone ? 'prune' : 'keep'} ${entry.message}\n`);
		if (!gone) kept.unshift(entry);
	}
	return kept;
}

const isCommit = (repository: Repository, id: string): boolean =>
	repository.objects.find(repository.peeled(id))?.type === 'commit';

/** Commits reachable from a ref; for HEAD, from all refs. */
function reachedFrom(repository: Repository, ref: string): Set<string> {
	const { refs } = repository;
	const ids = ref === 'HEAD' ? refs.list('refs/').map(({ id }) => id) : [];
	const own = refs.resolve(ref);
	const starts = [...ids, ...(own === null ? [] : [own])].map((id) => repository.peeled(id));
	return ancestors(
		repository,
		starts.filter((id) => repository.objects.find(id)?.type === 'commit')
	);
}

/** Returns whether an object and all objects reachable from it exist. */
function isWhole(repository: Repository, start: string): boolean {
	const { objects } = repository;
	const left = [start];
	const seen = new Set(left);
	for (let id = left.pop(); id !== undefined; id = left.pop()) {
		const object = objects.find(id);
		if (!object) return false;
		const next =
			object.type === 'commit'
				? [repository.objects.commit(id).tree, ...repository.parents(id)]
				: object.type === 'tree'
					? objects.tree(id).flatMap((entry) => (entry.mode === 0o160000 ? [] : [entry.id]))
					: [];
		for (const one of next) {
			if (seen.has(one)) continue;
			seen.add(one);
			left.push(one);
		}
	}
	return true;
}

/** Limits for a ref: from options, settings for a matching pattern, general settings, or git's defaults. */
function limitsOf(
	repository: Repository,
	ref: string,
	given: { total: string | undefined; unreachable: string | undefined }
): Limits {
	const { config, files } = repository;
	const nowMs = files.now();
	const pattern = config.subsections('gc').find((one) => wildmatch(one, true).test(ref) && hasLimit(repository, one));
	const limit = (text: string | undefined, key: string, days: number): number => {
		const own = pattern === undefined ? undefined : config.get(`gc.${pattern}.${key}`);
		// Stash entries exist only in the reflog, so they never expire by default.
		const isStash = ref === 'refs/stash' && pattern === undefined;
		const set = text ?? (isStash ? 'never' : (own ?? config.get(`gc.${key}`)));
		return set === undefined ? Math.floor(nowMs / 1000) - days * DAY : expiry(set, nowMs);
	};
	return {
		total: limit(given.total, 'reflogexpire', USUAL_DAYS.total),
		unreachable: limit(given.unreachable, 'reflogexpireunreachable', USUAL_DAYS.unreachable)
	};
}

const hasLimit = ({ config }: Repository, pattern: string): boolean =>
	['reflogexpire', 'reflogexpireunreachable'].some((key) => config.get(`gc.${pattern}.${key}`) !== undefined);

/** Parses a time limit to seconds: `never` is 0, `now` and `all` are infinite. @throws GitError if it is not a date */
function expiry(text: string, nowMs: number): number {
	if (text === 'never' || text === 'false') return 0;
	if (text === 'now' || text === 'all') return Infinity;
	if (text === '') throw fatal(`malformed expiration date '${text}'`);
	return dateOf(text, nowMs);
}
