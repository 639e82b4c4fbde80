import type { Repository } from '../repository.ts';
import { mappedRef } from './refspec.ts';

/** The remote that a branch is pushed to, and whether a setting names it. */
export function pushRemote({ config }: Repository, branch: string): { name: string; isSet: boolean } {
	const set =
		config.get(`branch.${branch}.pushremote`) ??
		config.get('remote.pushdefault') ??
		config.get(`branch.${branch}.remote`);
	if (set !== undefined) return { name: set, isSet: true };
	const remotes = config.subsections('remote');
	return { name: remotes.length === 1 ? remotes[0]! : 'origin', isSet: false };
}

/** Reference there that the settings of the remote push a branch to; null where they name none. */
export function pushedRef(repository: Repository, branch: string): string | null {
	const { name } = pushRemote(repository, branch);
	return mapped(repository.config.values(`remote.${name}.push`), `refs/heads/${branch}`);
}

/** Reference here that follows what a push of the branch changes; null if there is none, or more than one might be it. */
export function pushDestination(repository: Repository, branch: string): string | null {
	const { config } = repository;
	const { name } = pushRemote(repository, branch);
	const followed = (ref: string) => mapped(config.values(`remote.${name}.fetch`), ref);
	const own = `refs/heads/${branch}`;
	if (config.values(`remote.${name}.push`).length > 0) {
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

function mapped(refspecs: readonly string[], ref: string): string | null {
	for (const refspec of refspecs) {
		const found = mappedRef(refspec, ref);
		if (found !== null) return found;
	}
	return null;
}
