/** API of a host for pull requests; `none`: branches can be pushed only. */
export type HostKind = 'github' | 'gitlab' | 'gitea' | 'none';

/** A repository on a host, in the terms of the host's API. */
export interface HostedRepository {
	/** `https://git.example.org`. */
	origin: string;
	host: string;
	/** `owner/repository`; including groups on GitLab. */
	path: string;
}

const KNOWN: Readonly<Record<string, HostKind>> = {
	'github.com': 'github',
	'gitlab.com': 'gitlab',
	'codeberg.org': 'gitea',
	'gitea.com': 'gitea'
};

/** Parses a clone URL; `null` if it is not an http(s) address of a repository. */
export function hostedRepository(address: string): HostedRepository | null {
	if (!URL.canParse(address)) return null;
	const url = new URL(address);
	const path = url.pathname.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
	if ((url.protocol !== 'https:' && url.protocol !== 'http:') || path === '') return null;
	return { origin: url.origin, host: url.host, path };
}

/** Guesses a host's kind from its name; the user can override it. */
export function likelyKind(host: string): HostKind {
	const known = KNOWN[host];
	if (known) return known;
	const named = /github|gitlab|gitea|forgejo/.exec(host)?.[0];
	if (named === 'forgejo') return 'gitea';
	return named === 'github' || named === 'gitlab' || named === 'gitea' ? named : 'none';
}
