import type { Invocation } from '../invocation.ts';
import type { Refspec } from '../refs/refspec.ts';
import type { Repository } from '../repository.ts';
import type { Advertisement } from './advertisement.ts';
import { writeFetchHead } from './fetch-head.ts';
import { FetchSource, isCut, type PackHow } from './fetch-pack.ts';
import { followedTags, planFetch, staleRefs, type FetchItem, type TagChoice } from './fetch-plan.ts';
import { FetchReport } from './fetch-report.ts';
import type { Remote } from './remote-settings.ts';
import { foreignEnds, reachesEnd } from './shallow-ends.ts';
import { refuseCheckedOut, updateFetched, type UpdateHow } from './update-fetched.ts';

/** Options for fetching references. */
export interface FetchHow extends PackHow {
	/** Refspecs from the command line. */
	specs: readonly Refspec[];
	/** Replaces the configured refspecs of the remote (`--refmap`). */
	refmap?: readonly Refspec[] | undefined;
	tags: TagChoice;
	prunes: boolean;
	/** Prunes tags, too. */
	prunesTags?: boolean;
	isForced: boolean;
	/** Updates all references or none. */
	isAtomic?: boolean;
	isDry: boolean;
	quiet: boolean;
	isVerbose: boolean;
	/** Appends to `FETCH_HEAD`. */
	appends: boolean;
	/** Leaves `FETCH_HEAD` unchanged. */
	keepsFetchHead: boolean;
	/** Updates the checked-out branch, too: the caller updates the files afterwards. */
	updatesHead: boolean;
	/** Takes histories that end at the remote. */
	updatesShallow?: boolean;
	/** False leaves out the check whether an update is forced. */
	showsForced?: boolean;
	/** Shortens names in the report that are alike. */
	isCompact?: boolean;
	/** Action recorded in reflogs: `fetch origin`. */
	action: string;
}

/** Result of a fetch. */
export interface Fetched {
	items: FetchItem[];
	/** Some references could not be updated. */
	hasFailed: boolean;
	advertisement: Advertisement;
	url: string;
}

/** Fetches from a remote and updates local references, by git-fetch(1). @throws GitError with git's message */
export async function fetchRefs(
	git: Invocation,
	repository: Repository,
	remote: Remote,
	how: FetchHow
): Promise<Fetched> {
	const { source, advertisement } = await FetchSource.open(git, repository, remote.urls[0]!, how);
	try {
		return await fetchFrom(git, { source, advertisement, remote }, how);
	} finally {
		await source.close();
	}
}

async function fetchFrom(
	git: Invocation,
	{ source, advertisement, remote }: { source: FetchSource; advertisement: Advertisement; remote: Remote },
	how: FetchHow
): Promise<Fetched> {
	const { repository, url } = source;
	const configured = how.refmap ?? remote.fetchSpecs;
	const merges = mergesOf(repository, remote.name);
	// Pruned tags are those of a refspec for all tags, which fetches them, too.
	const choice = how.prunesTags && how.specs.length === 0 ? 'all' : how.tags;
	const items = planFetch(advertisement, { specs: how.specs, configured, merges, tags: choice });
	if (!how.updatesHead) refuseCheckedOut(repository, items);
	const moves: (() => void)[] = [];
	const isDelayed = how.isAtomic === true && !how.isDry;
	const later = isDelayed ? (move: () => void) => void moves.push(move) : undefined;
	const report = new FetchReport(git, url, how);
	if (how.prunes) prune(git, repository, { advertisement, remote, report }, { ...how, later });
	const named = ({ id, source: name }: FetchItem) => ({ id, name });
	await source.fetch(items.map(named), advertisement);
	const kept = withinHistory(repository, source, items, { ends: advertisement.shallow, how });
	items.splice(0, items.length, ...kept);
	const follows = how.tags === 'followed' && items.some(({ target }) => target !== null);
	const tags = follows ? followedTags(repository, advertisement) : [];
	// A shallow fetch would send again what is here.
	await source.fetch(tags.filter(({ id }) => !repository.objects.has(id)).map(named), advertisement);
	items.push(...tags);
	// References that are up to date are only shown if that is asked for.
	const names = items.flatMap(({ source: from, target, id }) =>
		target === null || from === 'HEAD' || (!how.isVerbose && repository.refs.resolve(target) === id)
			? []
			: [[from, target] as const]
	);
	report.fit(names);
	let hasFailed = false;
	for (const item of items) {
		if (item.target !== null) hasFailed = !updateFetched(repository, item, { ...how, later }, report) || hasFailed;
		else if (!how.keepsFetchHead) {
			const summary = /^refs\/(tags|heads)\//.exec(item.source)?.[1] === 'tags' ? 'tag' : 'branch';
			report.line({ mark: '*', summary, from: item.source, to: 'FETCH_HEAD' });
		}
	}
	if (how.showsForced === false) repository.warn(UNCHECKED);
	if (!hasFailed) for (const move of moves) move();
	const noted = hasFailed && isDelayed ? [] : items;
	if (!how.keepsFetchHead && !how.isDry) writeFetchHead(repository, noted, url, how.appends);
	return { items, hasFailed, advertisement, url };
}

/**
 * References that can be updated: a history that ends at the remote is only taken if that is asked for, since it would
 * make this repository shallow.
 */
function withinHistory(
	repository: Repository,
	source: FetchSource,
	items: readonly FetchItem[],
	{ ends: shallow, how }: { ends: readonly string[]; how: FetchHow }
): FetchItem[] {
	const ends = foreignEnds(repository, shallow);
	if (ends.size === 0) return [...items];
	if (how.updatesShallow || isCut(how)) {
		source.noteShallow([...ends]);
		return [...items];
	}
	return items.filter(({ id, source: name, target }) => {
		if (!reachesEnd(repository, id, ends)) return true;
		repository.warn(`rejected ${target ?? name} because shallow roots are not allowed to be updated`);
		return false;
	});
}

const UNCHECKED =
	'fetch normally indicates which branches had a forced update,\n' +
	"but that check has been disabled; to re-enable, use '--show-forced-updates'\n" +
	"flag or run 'git config fetch.showForcedUpdates true'";

/** Upstream references of the current branch at a remote; null if its upstream is elsewhere or not set. */
function mergesOf({ refs, config }: Repository, remote: string): readonly string[] | null {
	const branch = refs.currentBranch();
	if (branch === null || config.get(`branch.${branch}.remote`) !== remote) return null;
	const merges = config.values(`branch.${branch}.merge`);
	return merges.length === 0 ? null : merges;
}

function prune(
	git: Invocation,
	repository: Repository,
	{ advertisement, remote, report }: Pick<Fetched, 'advertisement'> & { remote: Remote; report: FetchReport },
	how: FetchHow & Pick<UpdateHow, 'later'>
): void {
	const given = how.specs.length > 0 ? how.specs : remote.fetchSpecs;
	const tags: Refspec[] =
		how.prunesTags && how.specs.length === 0
			? [{ source: 'refs/tags/*', target: 'refs/tags/*', isForced: false, isNegative: false }]
			: [];
	const stale = staleRefs(repository, advertisement, [...given, ...tags]);
	for (const name of stale) {
		if (how.later) how.later(() => repository.refs.delete(name));
		else if (!how.isDry) repository.refs.delete(name);
		report.line({ mark: '-', summary: '[deleted]', from: '(none)', to: name });
	}
	for (const link of danglingLinks(repository, stale))
		git.err(`   (${link} ${how.isDry ? 'will become' : 'has become'} dangling)\n`);
}

/** Symbolic references whose target is deleted. */
export function danglingLinks({ refs }: Repository, gone: readonly string[]): string[] {
	const isGone = new Set(gone);
	return refs.symbolicNames().filter((name) => isGone.has(refs.symbolic(name) ?? ''));
}
