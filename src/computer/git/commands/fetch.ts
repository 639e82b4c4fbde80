import { failure, fatal, GitError } from '../errors.ts';
import { joinedFilter } from '../history/filter-spec.ts';
import { inputLines } from '../input-lines.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions, type Options } from '../options.ts';
import { fetchSpec } from '../refs/refspec.ts';
import { DEEPEN_OPTIONS, deepenedBy } from '../remote/history-cut.ts';
import type { PackHow } from '../remote/fetch-pack.ts';
import { negotiationTips } from '../remote/negotiation-tips.ts';
import { registerPromisor, usualFilter } from '../remote/partial-clone.ts';
import { fetchRefs, type Fetched, type FetchHow } from '../remote/fetch-refs.ts';
import { FAMILY_OPTIONS, reachingBy } from '../remote/reaching-options.ts';
import { defaultRemote, isRemote, remoteNamed, remoteNames } from '../remote/remote-settings.ts';
import type { Repository } from '../repository.ts';
import { configuredChoice, fetchChoice, type FetchChoice } from '../submodule/fetch-choice.ts';
import { ModuleFetch, OUTERMOST, type FetchNesting } from '../submodule/fetch-modules.ts';

/** Options of `git fetch` that `git pull` has too. */
export const FETCH_OPTIONS = {
	...DEEPEN_OPTIONS,
	tags: '-t --tags',
	noTags: '--no-tags',
	prune: '-p --prune',
	noPrune: '--no-prune',
	quiet: '-q --quiet',
	verbose: '-v --verbose',
	progress: '--progress',
	noProgress: '--no-progress',
	force: '-f --force',
	append: '-a --append',
	dryRun: '--dry-run',
	refmap: '--refmap =',
	atomic: '--atomic !',
	filter: '--filter = !',
	refetch: '--refetch',
	stdin: '--stdin',
	updatesShallow: '--update-shallow !',
	updateHead: '-u --update-head-ok',
	setUpstream: '--set-upstream',
	...FAMILY_OPTIONS,
	program: '--upload-pack =',
	// Ignored: packs are kept as received, over one connection.
	keep: '-k --keep',
	jobs: '-j --jobs =',
	negotiationTip: '--negotiation-tip =',
	showForced: '--show-forced-updates !',
	submodules: '--recurse-submodules ? !'
};

export const fetch: Command = (git, args) => fetchIn(git, args, OUTERMOST);

/** Fetches, possibly in a submodule as part of the fetch of its superproject. */
async function fetchIn(git: Invocation, args: readonly string[], nesting: FetchNesting): Promise<number> {
	const options = parseOptions('fetch [<options>] [<repository> [<refspec>...]]', args, {
		...FETCH_OPTIONS,
		all: '--all',
		many: '--multiple',
		pruneTags: '-P --prune-tags',
		writeHead: '--write-fetch-head',
		noWriteHead: '--no-write-fetch-head'
	});
	const { repository } = git;
	const { config } = repository;
	const [given, ...specs] = [...options.operands, ...(options.paths ?? [])];
	if (options.has('all') && given !== undefined)
		throw fatal(
			specs.length > 0
				? 'fetch --all does not make sense with refspecs'
				: 'fetch --all does not take a repository argument'
		);
	const group = given === undefined || options.has('many') ? [] : groupOf(git, given);
	const isMany = options.has('all') || options.has('many') || group.length > 0;
	if (group.length > 0 && specs.length > 0) throw fatal('fetching a group and specifying refspecs does not make sense');
	const asked = {
		action: git.env['GIT_REFLOG_ACTION'] ?? ['fetch', ...args].join(' '),
		...(options.has('pruneTags') && { prunesTags: true }),
		keepsFetchHead: options.has('noWriteHead'),
		nesting
	};
	if (isMany && options.has('atomic')) throw fatal('--atomic can only be used when fetching from one remote');
	if (!isMany) return (await fetchOne(git, given ?? defaultRemote(repository), specs, options, asked)).isDone ? 0 : 1;
	const named = options.has('all')
		? remoteNames(config).filter((name) => !isSkipped(git, name, 'skipfetchall'))
		: options.has('many')
			? options.operands.flatMap((name) => [...groupOf(git, name), ...(isRemote(config, name) ? [name] : [])])
			: group;
	if (named.length > 1 && options.has('filter'))
		throw fatal('--filter can only be used with the remote configured in extensions.partialclone');
	if (named.length === 0 && options.has('many')) throw fatal(`no such remote or remote group: ${given ?? ''}`);
	return fetchMany(git, named, options, asked);
}

export type FetchOptions = Options<keyof typeof FETCH_OPTIONS>;

/** Settings that a command makes besides its options. */
export type FetchAsked = Pick<FetchHow, 'action'> & Partial<FetchHow> & { nesting?: FetchNesting };

/** Fetches from several remotes, one after the other. */
export async function fetchMany(
	git: Invocation,
	names: readonly string[],
	options: FetchOptions,
	asked: FetchAsked
): Promise<number> {
	let code = 0;
	for (const [at, name] of [...new Set(names)].entries()) {
		if (!options.has('quiet')) git.out(`Fetching ${name}\n`);
		try {
			const appends = at > 0 || options.has('append');
			if (!(await fetchOne(git, name, [], options, { ...asked, appends })).isDone) code = 1;
		} catch (error) {
			if (!(error instanceof GitError)) throw error;
			git.err(`${error.message}\nerror: could not fetch ${name}\n`);
			code = 1;
		}
	}
	return code;
}

/** Remotes of a group (`remotes.<group>`). */
export const groupOf = ({ repository }: Invocation, name: string): string[] =>
	repository.config.values(`remotes.${name}`).flatMap((text) => text.split(/\s+/).filter(Boolean));

/** Returns whether a remote is skipped when all remotes are fetched. */
export const isSkipped = ({ repository: { config } }: Invocation, name: string, key: string): boolean =>
	config.flag(`remote.${name}.${key}`, config.flag(`remote.${name}.skipdefaultupdate`, false));

/** Fetches from one remote, and in submodules. `isDone` is false if refs or submodules could not be updated. */
export async function fetchOne(
	git: Invocation,
	name: string,
	texts: readonly string[],
	options: FetchOptions,
	asked: FetchAsked
): Promise<Fetched & { isDone: boolean }> {
	const { repository } = git;
	const remote = remoteNamed(repository, name);
	if (options.has('unshallow') && repository.note('shallow') === null)
		throw fatal('--unshallow on a complete repository does not make sense');
	const lines = options.has('stdin') ? [...inputLines(git)] : [];
	const how = { ...fetchHow(git, name, [...texts, ...lines], options), ...filterHow(git, name, options), ...asked };
	const choice = moduleChoice(repository, options);
	const modules = choice === 'no' ? null : new ModuleFetch(git, choice, asked.nesting ?? OUTERMOST, how.quiet);
	const fetched = await fetchRefs(git, repository, remote, how);
	if (options.has('setUpstream'))
		setUpstream(
			git,
			name,
			fetched.items.filter(({ noted }) => noted === 'merged').map(({ source }) => source)
		);
	if (fetched.hasFailed || !modules) return { ...fetched, isDone: !fetched.hasFailed };
	const ids = fetched.items.map(({ id }) => id);
	return { ...fetched, isDone: await modules.run(ids, moduleOptions(options, choice, how), fetchIn) };
}

/** Choice of submodules by the option, or else by settings; null if neither is given. */
function moduleChoice(repository: Repository, options: FetchOptions): FetchChoice | null {
	if (options.has('submodules')) return fetchChoice('recurse-submodules', options.get('submodules') ?? '');
	return options.isTakenBack('submodules') ? 'no' : configuredChoice(repository);
}

/** Options of a fetch that apply to its submodules. */
function moduleOptions(options: FetchOptions, choice: FetchChoice | null, how: FetchHow): string[] {
	return [
		...(how.isDry ? ['--dry-run'] : []),
		...(options.has('prune') ? ['--prune'] : options.has('noPrune') ? ['--no-prune'] : []),
		...(how.updatesHead ? ['--update-head-ok'] : []),
		...(how.isForced ? ['--force'] : []),
		...(choice === null ? [] : [`--recurse-submodules=${choice}`]),
		...(options.has('tags') ? ['--tags'] : options.has('noTags') ? ['--no-tags'] : []),
		...(how.quiet ? ['-q'] : how.isVerbose ? ['-v'] : [])
	];
}

/** Reads the options and settings of a fetch. @throws GitError for invalid values */
function fetchHow(
	git: Invocation,
	remote: string,
	texts: readonly string[],
	options: FetchOptions
): Omit<FetchHow, 'action'> {
	const { config } = git.repository;
	const tagOption = config.get(`remote.${remote}.tagopt`);
	const tags = options.has('tags')
		? 'all'
		: options.has('noTags')
			? 'none'
			: tagOption === '--tags'
				? 'all'
				: tagOption === '--no-tags'
					? 'none'
					: 'followed';
	const prunes = config.flag(`remote.${remote}.prune`, config.flag('fetch.prune', false));
	const tips = options.all('negotiationTip');
	const showsForced = options.isTakenBack('showForced')
		? false
		: options.has('showForced') || config.flag('fetch.showforcedupdates', true);
	if (options.has('refmap') && texts.length === 0)
		throw fatal('--refmap option is only meaningful with command-line refspec(s)');
	const refmap = options.all('refmap').filter((text) => text !== '');
	return {
		specs: refspecWords(texts).map(fetchSpec),
		refmap: options.has('refmap') ? refmap.map(fetchSpec) : undefined,
		...deepenedBy(options, git.context.sync.now()),
		...reachingBy(options, config.get(`remote.${remote}.uploadpack`)),
		tags,
		prunes: options.has('prune') || (prunes && !options.has('noPrune')),
		prunesTags: config.flag(`remote.${remote}.prunetags`, config.flag('fetch.prunetags', false)),
		showsForced,
		updatesShallow: options.has('updatesShallow'),
		isCompact: compactOf(config.get('fetch.output')),
		tips: tips.length === 0 ? undefined : negotiationTips(git.repository, tips),
		isForced: options.has('force'),
		isAtomic: options.has('atomic'),
		isDry: options.has('dryRun'),
		quiet: options.has('quiet'),
		isVerbose: options.has('verbose'),
		progress:
			(options.has('progress') || git.context.sync.isTerminal(2)) &&
			!options.has('quiet') &&
			!options.has('noProgress'),
		appends: options.has('append'),
		keepsFetchHead: false,
		updatesHead: options.has('updateHead')
	};
}

/** Returns whether a report names each reference once if both names are alike. @throws GitError for an unknown form */
function compactOf(form = 'full'): boolean {
	const found = ['full', 'compact'].indexOf(form.toLowerCase());
	if (found < 0) throw fatal(`invalid value for 'fetch.output': '${form}'`);
	return found === 1;
}

/** Filter of a fetch: as given, or else that of the remote. A remote with a filter becomes a promisor remote. */
function filterHow({ repository }: Invocation, remote: string, options: FetchOptions): Partial<PackHow> {
	const given = joinedFilter(options.all('filter'));
	if (given) registerPromisor(repository, remote, given);
	const filter = given ?? (options.isTakenBack('filter') ? null : usualFilter(repository, remote));
	return { filter, isPromised: filter !== null, isAnew: options.has('refetch') };
}

/** Refspecs as given, with `tag <name>` expanded. */
export function refspecWords(texts: readonly string[]): string[] {
	const words: string[] = [];
	for (let at = 0; at < texts.length; at++) {
		const text = texts[at]!;
		if (text !== 'tag') words.push(text);
		else {
			const name = texts[++at];
			if (name === undefined) throw fatal('you need to specify a tag name');
			words.push(`refs/tags/${name}:refs/tags/${name}`);
		}
	}
	return words;
}

/** Sets the fetched branch as the upstream of the current branch. */
function setUpstream({ repository }: Invocation, remote: string, sources: readonly string[]): void {
	const branch = repository.refs.currentBranch();
	const [source, ...more] = sources;
	if (branch === null) throw failure('could not set upstream of HEAD when it does not point to any branch.');
	if (source === undefined || more.length > 0)
		throw failure('multiple branches detected, incompatible with --set-upstream');
	const file = `${repository.commonDir}/config`;
	repository.config.set(file, `branch.${branch}.remote`, remote);
	repository.config.set(file, `branch.${branch}.merge`, source);
}
