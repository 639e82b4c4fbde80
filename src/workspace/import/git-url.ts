import { ImportError } from './errors.ts';

export interface GitAddress {
	/** Input for `git clone`: http(s), no credentials, no trailing slash. */
	url: string;
	/** `owner/repository`, or the last two parts of the path. */
	name: string;
	/** A branch, tag or commit named in the address itself. */
	ref?: string;
}

/**
 * Parses addresses as users paste them: full addresses, `github.com/owner/repo`, `owner/repo`,
 * `git@host:owner/repo.git`, and addresses of a branch or a file on the usual hosts.
 *
 * @throws ImportError `invalid_url`, or `unsupported` for a scheme that is not http(s)
 */
export function parseGitUrl(text: string): GitAddress {
	const trimmed = text.trim();
	// The port of `ssh://` is that of SSH; what follows the colon of `git@host:` is the path.
	const ssh = /^(?:ssh:\/\/git@([^:/\s]+)(?::\d+)?\/|git@([^:/\s]+)[:/])(\S+)$/.exec(trimmed);
	if (ssh) return fromUrl(parsed(`https://${ssh[1] ?? ssh[2]}/${ssh[3]}`, trimmed));
	if (/^[\w.-]+\/[\w.-]+$/.test(trimmed) && !/^[\w-]+(\.[\w-]+)+\//.test(trimmed))
		return fromUrl(new URL(`https://github.com/${trimmed}`));
	const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(trimmed)?.[1]?.toLowerCase();
	if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') throw new ImportError('unsupported', scheme);
	const url = parsed(scheme === undefined ? `https://${trimmed}` : trimmed, trimmed);
	const isHost = url.hostname.includes('.') || url.hostname === 'localhost' || url.hostname.startsWith('[');
	if (/\s/.test(trimmed) || !isHost || url.pathname.replaceAll('/', '') === '')
		throw new ImportError('invalid_url', trimmed);
	return fromUrl(url);
}

function parsed(address: string, text: string): URL {
	if (!URL.canParse(address)) throw new ImportError('invalid_url', text);
	return new URL(address);
}

/** URL patterns of a ref's page: GitLab's, whose repositories may be in nested groups, and those of the other hosts. */
const PAGES = [
	/^((?:\/[^/]+)+?)\/-\/(?:tree|blob|commit)\/([^/]+)/,
	/^(\/[^/]+\/[^/]+)\/(?:tree|blob|commit|src\/(?:branch|tag|commit)|src)\/([^/]+)/
];

function fromUrl(url: URL): GitAddress {
	const page = PAGES.map((pattern) => pattern.exec(url.pathname)).find((found) => found !== null);
	const parts = (page?.[1] ?? url.pathname).split('/').filter((part) => part !== '');
	const name = parts
		.slice(-2)
		.join('/')
		.replace(/\.git$/, '');
	const address = { url: `${url.protocol}//${url.host}/${parts.join('/')}`, name };
	return page?.[2] === undefined ? address : { ...address, ref: decoded(page[2]) };
}

/** Decodes a part of a URL; returns it unchanged if its percent encoding is invalid. */
function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}
