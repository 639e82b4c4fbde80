import type { Repository } from '../repository.ts';
import { targetOf, type Refspec } from './refspec.ts';

/** Remote that a branch is pushed to, and whether it is configured. */
export function pushRemote({ config }: Repository, branch: string): { name: string; isSet: boolean } {
	const set =
		config.get(`branch.${branch}.pushremote`) ??
		config.get('remote.pushdefault') ??
		config.get(`branch.${branch}.remote`);
	if (set !== undefined) return { name: set, isSet: true };
	const remotes = config.subsections('remote');
	return { name: remotes.length === 1 ? remotes[0]! : 'origin', isSet: false };
}

/** Remote reference that the remote's push refspecs map a branch to; null if none does. */
export function pushedRef(repository: Repository, branch: string): string | null {
	const { name } = pushRemote(repository, branch);
	return targetOf(repository.pushSpecs(name).map(wholeNames), `refs/heads/${branch}`);
}

/** Expands short names in a push refspec as branches; without a target, the source is used. */
function wholeNames(spec: Refspec): Refspec {
	const whole = (name: string) => (name.startsWith('refs/') || name.includes('*') ? name : `refs/heads/${name}`);
	return { ...spec, source: whole(spec.source), target: whole(spec.target || spec.source) };
}

/** Remote-tracking reference of what a push of the branch updates; null if there is none, or if it is ambiguous. */
export function pushDestination(repository: Repository, branch: string): string | null {
	const { config } = repository;
	const { name } = pushRemote(repository, branch);
	const followed = (ref: string) => targetOf(repository.fetchSpecs(name), ref);
	const own = `refs/heads/${branch}`;
	if (repository.pushSpecs(name).length > 0) {
		const pushed = pushedRef(repository, branch);
		return pushed === null ? null : followed(pushed);
	}
	if (config.flag(`remote.${name}.mirror`, false)) return followed(own);
	const upstream = repository.upstream(branch);
	switch (config.get('push.default') ?? 'simple') {
		case 'nothing':
			return null;
		case 'matching':
		case 'current':
			return followed(own);
		case 'upstream':
		case 'tracking':
			return upstream;
		default:
			return upstream !== null && followed(own) === upstream ? upstream : null;
	}
}
