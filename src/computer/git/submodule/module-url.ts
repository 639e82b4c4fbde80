import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { defaultRemote } from '../remote/remote-settings.ts';
import type { Module } from './modules.ts';
import { relativeUrl } from './relative-url.ts';

/**
 * URL of a submodule for its superproject.
 *
 * @param how path from the submodule to the top, for a URL that stays relative; warning if there is no remote
 * @throws GitError if `.gitmodules` has none
 */
export function moduleUrl(
	git: Invocation,
	{ url }: Module,
	shown: string,
	{ up = '', isQuiet = true }: { up?: string; isQuiet?: boolean } = {}
): string {
	if (url === undefined) throw fatal(`No url found for submodule path '${shown}' in .gitmodules`);
	if (!/^\.\.?\//.test(url)) return url;
	const { repository } = git;
	const key = `remote.${defaultRemote(git.repository)}.url`;
	const base = repository.config.get(key);
	if (base === undefined && !isQuiet)
		git.err(
			`warning: could not look up configuration '${key}'. Assuming this repository is its own authoritative upstream.\n`
		);
	return relativeUrl(base ?? repository.root, url, up);
}
