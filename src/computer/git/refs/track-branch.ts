import { fatal, GitError } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import type { Repository } from '../repository.ts';
import { referenceNamed } from './named-ref.ts';
import { sourceOf } from './refspec.ts';

/** Upstream of a new branch: as configured, none, its start point, or the upstream of its start point. */
export type Tracks = 'usual' | 'none' | 'direct' | 'inherit';

/** Parses `--track[=direct|inherit]` and `--no-track`. @throws GitError for any other value */
export function tracksBy(options: {
	has(name: 'track' | 'noTrack'): boolean;
	get(name: 'track'): string | undefined;
}): Tracks {
	if (options.has('noTrack')) return 'none';
	if (!options.has('track')) return 'usual';
	const word = options.get('track') || 'direct';
	if (word !== 'direct' && word !== 'inherit')
		throw new GitError('error: option `--track\' expects "direct" or "inherit"', 129);
	return word;
}

/**
 * Name of the local branch that `--track` creates: the part after the remote's name. @throws GitError if there is none
 */
export function trackedName(start: string): string {
	const name = /^(?:refs\/)?(?:remotes\/)?[^/]+\/(.+)$/.exec(start)?.[1];
	if (name === undefined) throw fatal('missing branch name; try -b');
	return name;
}

interface Upstream {
	remote: string;
	merge: string;
	/** As shown in messages: `origin/main`. */
	shown: string;
}

/**
 * Upstream of a branch that starts at `start`; null if none.
 *
 * @param name of the branch; with `branch.autoSetupMerge=simple`, the upstream must have the same name
 * @throws GitError if an upstream is required but the start point is not a branch
 */
export function upstreamOf(git: Invocation, start: string, asked: Tracks, name?: string): Upstream | null {
	const { repository } = git;
	const set = repository.config.get('branch.autosetupmerge') ?? 'true';
	const tracks = asked !== 'usual' ? asked : set === 'inherit' ? 'inherit' : set === 'false' ? 'none' : 'usual';
	if (tracks === 'none') return null;
	const named = start === 'HEAD' ? (repository.refs.symbolic('HEAD') ?? 'HEAD') : referenceNamed(repository, start);
	const full = named !== null && repository.refs.symbolic(named) !== null ? repository.refs.symbolic(named) : named;
	if (tracks === 'inherit') return inherited(git, full);
	const found = full === null ? null : followed(repository, full);
	if (!found) {
		if (tracks !== 'direct') return null;
		throw fatal(`cannot set up tracking information; starting point '${start}' is not a branch`);
	}
	if (tracks === 'usual' && set === 'simple' && found.merge !== `refs/heads/${name ?? ''}`) return null;
	return tracks === 'usual' && found.remote === '.' && set !== 'always' ? null : found;
}

/**
 * The remote and its branch that a reference is fetched from; for a local branch, the remote is `.`.
 *
 * @throws GitError if it is fetched from several
 */
function followed(repository: Repository, full: string): Upstream | null {
	const { config } = repository;
	const shown = full.replace(/^refs\/(?:heads|remotes)\//, '');
	const found = config.subsections('remote').flatMap((remote): Upstream[] => {
		const merges = repository.fetchSpecs(remote).map((spec) => sourceOf(spec, full));
		const merge = merges.find((one) => one !== null);
		return merge === undefined || merge === null ? [] : [{ remote, merge, shown }];
	});
	if (found.length > 1) {
		const hint = config.flag('advice.ambiguousfetchrefspec', true) ? ambiguityHint(full, found) : '';
		throw new GitError(`fatal: not tracking: ambiguous information for ref '${full}'${hint}`, 128);
	}
	return found[0] ?? (full.startsWith('refs/heads/') ? { remote: '.', merge: full, shown } : null);
}

const ambiguityHint = (full: string, found: readonly Upstream[]): string =>
	[
		'There are multiple remotes whose fetch refspecs map to the remote',
		`tracking ref '${full}':`,
		...found.map(({ remote }) => `  ${remote}`),
		...['', 'This is typically a configuration error.', ''],
		'To support setting up tracking branches, ensure that',
		"different remotes' fetch refspecs map into different",
		'tracking namespaces.'
	]
		.map((line) => `\nhint: ${line}`)
		.join('');

function inherited(git: Invocation, full: string | null): Upstream | null {
	const branch = full?.replace(/^refs\/heads\//, '') ?? '';
	const { config } = git.repository;
	const [remote, merge] = [config.get(`branch.${branch}.remote`), config.get(`branch.${branch}.merge`)];
	if (remote === undefined || merge === undefined) {
		const missing = remote === undefined ? 'remote' : 'merge configuration';
		git.err(`warning: asked to inherit tracking from '${branch}', but no ${missing} is set\n`);
		return null;
	}
	const short = merge.replace(/^refs\/heads\//, '');
	return { remote, merge, shown: remote === '.' ? short : `${remote}/${short}` };
}

/** Sets the upstream of a branch, and reports that. */
export function track(git: Invocation, name: string, { remote, merge, shown }: Upstream, quiet: boolean): void {
	const { repository } = git;
	const config = `${repository.commonDir}/config`;
	const rebases = repository.config.get('branch.autosetuprebase') ?? 'never';
	const isRebasing = rebases === 'always' || rebases === (remote === '.' ? 'local' : 'remote');
	repository.config.set(config, `branch.${name}.remote`, remote);
	repository.config.set(config, `branch.${name}.merge`, merge);
	if (isRebasing) repository.config.set(config, `branch.${name}.rebase`, 'true');
	if (!quiet) git.out(`branch '${name}' set up to track '${shown}'${isRebasing ? ' by rebasing' : ''}.\n`);
}
