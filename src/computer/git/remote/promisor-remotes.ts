import type { Config } from '../config/config.ts';

/** Remotes of a partial clone that promised to have its missing objects, in the order in which they are asked. */
export function promisorRemotes(config: Config): string[] {
	const names = config
		.subsections('remote')
		.filter(
			(name) =>
				config.flag(`remote.${name}.promisor`, false) || config.get(`remote.${name}.partialclonefilter`) !== undefined
		);
	const last = config.get('extensions.partialclone');
	return last === undefined ? names : [...names.filter((name) => name !== last), last];
}
