import { fatal, GitError } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import type { Repository } from '../repository.ts';
import { parseRefspec, sourceOf } from './refspec.ts';
import { referenceNamed } from './named-ref.ts';

/** Upstream of a new branch: by the settings, nothing, its start, or what its start follows. */
export type Tracks = 'usual' | 'none' | 'direct' | 'inherit';

/** Reads `--track[=direct|inherit]` and `--no-track`. @throws GitError for another word */
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

/** Name of the branch that `--track` makes of a remote's: what follows the remote's name. @throws GitError for no such name */
export function trackedName(start: string): string {
	const name = /^(?:refs\/)?(?:remotes\/)?[^/]+\/(.+)$/.exec(start)?.[1];
	if (name === undefined) throw fatal('missing branch name; try -b');
	return name;
}

interface Upstream {
	remote: string;
	merge: string;
	/** As messages name it: `origin/main`. */
	shown: string;
}

/**
 * Upstream of a branch that starts at `start`; null for nothing.
 *
 * @throws GitError when it has to follow something that is no branch
 */
export function upstreamOf(git: Invocation, start: string, asked: Tracks): Upstream | null {
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
	return tracks === 'usual' && found.remote === '.' && set !== 'always' ? null : found;
}

/** The remote and the branch there that a reference is fetched from; a branch of this repository is its own. */
function followed(repository: Repository, full: string): Upstream | null {
	const shown = full.replace(/^refs\/(?:heads|remotes)\//, '');
	for (const remote of repository.config.subsections('remote')) {
		for (const spec of repository.config.values(`remote.${remote}.fetch`)) {
			const merge = sourceOf(parseRefspec(spec), full);
			if (merge !== null) return { remote, merge, shown };
		}
	}
	return full.startsWith('refs/heads/') ? { remote: '.', merge: full, shown } : null;
}

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

/** Lets a branch follow another one, and says so. */
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
