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
	const ssh = /^(?:ssh:\/\/)?git@([^:/\s]+)[:/](\S+)$/.exec(trimmed);
	if (ssh) return fromUrl(new URL(`https://${ssh[1]}/${ssh[2]}`));
	if (/^[\w.-]+\/[\w.-]+$/.test(trimmed) && !/^[\w-]+(\.[\w-]+)+\//.test(trimmed))
		return fromUrl(new URL(`https://github.com/${trimmed}`));
	const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(trimmed)?.[1]?.toLowerCase();
	if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') throw new ImportError('unsupported', scheme);
	let url: URL;
	try {
		url = new URL(scheme === undefined ? `https://${trimmed}` : trimmed);
	} catch {
		throw new ImportError('invalid_url', trimmed);
	}
	const isHost = url.hostname.includes('.') || url.hostname === 'localhost' || url.hostname.startsWith('[');
	if (/\s/.test(trimmed) || !isHost || url.pathname.replaceAll('/', '') === '')
		throw new ImportError('invalid_url', trimmed);
	return fromUrl(url);
}

function fromUrl(url: URL): GitAddress {
	let path = url.pathname.replace(/\/+$/, '');
	let ref: string | undefined;
	const page = /^(\/[^/]+\/[^/]+)\/(?:-\/)?(?:tree|blob|commit|src\/branch|src)\/([^/]+)/.exec(path);
	if (page?.[1] && page[2]) {
		path = page[1];
		ref = decodeURIComponent(page[2]);
	}
	const parts = path.split('/').filter((part) => part !== '');
	const name = parts
		.slice(-2)
		.join('/')
		.replace(/\.git$/, '');
	return { url: `${url.protocol}//${url.host}/${parts.join('/')}`, name, ...(ref === undefined ? {} : { ref }) };
}
