import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { isLeftOut, mappedName, parseRefspec, pushSpec, type Refspec } from '../refs/refspec.ts';
import type { Remote } from '../remote/remote-settings.ts';
import type { Repository } from '../repository.ts';
import { named } from './plan-push.ts';

/**
 * Refspecs from the arguments of a command.
 *
 * @param deletes each argument names a reference to delete on the remote
 * @throws GitError if an argument is not valid
 */
export function givenSpecs(
	repository: Repository,
	remote: Remote,
	words: readonly string[],
	deletes: boolean
): Refspec[] {
	const specs: Refspec[] = [];
	for (let at = 0; at < words.length; at++) {
		let word = words[at]!;
		if (word === 'tag') {
			const name = words[++at];
			if (name === undefined) throw fatal('tag shorthand without <tag>');
			word = `refs/tags/${name}`;
		} else if (deletes && (word === '' || word.includes(':')))
			throw fatal('--delete only accepts plain target ref names');
		if (deletes) specs.push(pushSpec(`:${word}`));
		else specs.push(word.includes(':') ? pushSpec(word) : mappedSpec(repository, remote, word));
	}
	return specs;
}

/** Adds the configured target to an argument without a target. */
function mappedSpec(repository: Repository, remote: Remote, word: string): Refspec {
	const spec = pushSpec(word);
	const found = spec.isNegative ? [] : named(repository.refs.list('refs/'), word);
	const [ref] = found;
	if (found.length !== 1 || !ref) return spec;
	for (const configured of isLeftOut(remote.pushSpecs, ref.name) ? [] : remote.pushSpecs) {
		const target = mappedName(configured, ref.name);
		if (target !== null) return { source: ref.name, target, isForced: configured.isForced, isNegative: false };
	}
	const { config } = repository;
	const branch = /^refs\/heads\/(.+)$/.exec(ref.name)?.[1];
	if (branch === undefined || !/^(?:upstream|tracking)$/.test(config.get('push.default') ?? '')) return spec;
	const merges = config.values(`branch.${branch}.merge`);
	return merges.length === 1 ? { ...spec, target: merges[0]! } : spec;
}

/** Refspec used by a push without arguments. */
export interface DefaultPush {
	spec: Refspec;
	/** The branch has no upstream and gets one, by `push.autoSetupRemote`. */
	setsUpstream: boolean;
}

/** Refspec according to `push.default`. @throws GitError if it does not apply to the current branch */
export function defaultSpec({ repository }: Invocation, remote: Remote): DefaultPush {
	const { config, refs } = repository;
	const set = config.get('push.default');
	const kind = set ?? 'simple';
	if (!['nothing', 'matching', 'simple', 'upstream', 'tracking', 'current'].includes(kind))
		throw fatal(
			`malformed value for push.default: ${kind}\nMust be one of nothing, matching, simple, upstream or current.`
		);
	if (kind === 'matching') return { spec: parseRefspec(':'), setsUpstream: false };
	if (kind === 'nothing') throw fatal('You didn\'t specify any refspecs to push, and push.default is "nothing".');
	const branch = refs.currentBranch();
	if (branch === null)
		throw fatal(
			'You are not currently on a branch.\nTo push the history leading to the current (detached HEAD)\n' +
				`state now, use\n\n    git push ${remote.name} HEAD:<name-of-remote-branch>\n`
		);
	const full = `refs/heads/${branch}`;
	const isSame = (config.get(`branch.${branch}.remote`) ?? soleRemote(repository)) === remote.name;
	const isAutomatic = config.flag('push.autosetupremote', false);
	const merges = config.get(`branch.${branch}.remote`) === undefined ? [] : config.values(`branch.${branch}.merge`);
	const upstream = () => upstreamRef(branch, merges, isAutomatic, remote.name);
	let target = full;
	if (kind === 'simple' && isSame && upstream() !== full) throw otherName(config, remote.name, upstream(), set);
	if (kind === 'upstream' || kind === 'tracking') {
		if (!isSame)
			throw fatal(
				`You are pushing to remote '${remote.name}', which is not the upstream of\n` +
					`your current branch '${branch}', without telling me what to push\nto update which remote branch.`
			);
		target = upstream();
	}
	return { spec: parseRefspec(`${full}:${target}`), setsUpstream: isAutomatic && merges.length === 0 };
}

function soleRemote({ config }: Repository): string {
	const remotes = config.subsections('remote');
	return remotes.length === 1 ? remotes[0]! : 'origin';
}

function upstreamRef(branch: string, merges: readonly string[], isAutomatic: boolean, remote: string): string {
	if (merges.length > 1) throw fatal(`The current branch ${branch} has multiple upstream branches, refusing to push.`);
	const [merge] = merges;
	if (merge !== undefined) return merge;
	if (isAutomatic) return `refs/heads/${branch}`;
	throw fatal(
		`The current branch ${branch} has no upstream branch.\n` +
			'To push the current branch and set the remote as upstream, use\n\n' +
			`    git push --set-upstream ${remote} ${branch}\n\n` +
			'To have this happen automatically for branches without a tracking\n' +
			"upstream, see 'push.autoSetupRemote' in 'git help config'.\n"
	);
}

function otherName(config: Repository['config'], remote: string, upstream: string, set: string | undefined) {
	const short = upstream.replace(/^refs\/heads\//, '');
	const choose =
		set === undefined ? "\nTo choose either option permanently, see push.default in 'git help config'.\n" : '';
	const avoid =
		config.get('branch.autosetupmerge') === 'simple'
			? ''
			: "\nTo avoid automatically configuring an upstream branch when its name\nwon't match the local branch, " +
				"see option 'simple' of branch.autoSetupMerge\nin 'git help config'.\n";
	return fatal(
		'The upstream branch of your current branch does not match\n' +
			'the name of your current branch.  To push to the upstream branch\non the remote, use\n\n' +
			`    git push ${remote} HEAD:${short}\n\n` +
			'To push to the branch of the same name on the remote, use\n\n' +
			`    git push ${remote} HEAD\n${choose}${avoid}`
	);
}
