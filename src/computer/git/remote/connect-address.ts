import { fatal } from '../errors.ts';

/** Parts of an address as git splits it. */
export interface ConnectAddress {
	protocol: 'file' | 'git' | 'ssh';
	/** Host with user and port, or the text in its place; for ssh only user and host. */
	host: string;
	/** Port for ssh. */
	port: string | null;
	path: string;
}

const PROTOCOLS: Readonly<Record<string, ConnectAddress['protocol']>> = {
	...{ ssh: 'ssh', 'git+ssh': 'ssh', 'ssh+git': 'ssh', git: 'git', file: 'file' }
};

/** Parses an address: `ssh://host:22/path`, `host:path`, a path. @throws GitError if it has no path */
export function connectAddress(address: string): ConnectAddress {
	const [, scheme, after = address] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(address) ?? [];
	const protocol = scheme === undefined ? null : PROTOCOLS[scheme];
	if (protocol === undefined) throw fatal(`protocol '${scheme}' is not supported`);
	const text = scheme === undefined ? after : percentDecoded(after);
	const isPath = /^[^:]*$|^[^:/]*\//.test(text);
	if (protocol === null && isPath) return { protocol: 'file', host: '', port: null, path: text };
	const separator = protocol === null ? ':' : '/';
	const at = text.indexOf(separator, bracketEnd(text));
	if (at < 0) throw fatal("no path specified; see 'git help pull' for valid url syntax");
	const kind = protocol ?? 'ssh';
	let path = text.slice(separator === ':' ? at + 1 : at);
	if (path === '') throw fatal("no path specified; see 'git help pull' for valid url syntax");
	if (kind !== 'file' && path.startsWith('/~')) path = path.slice(1);
	const host = text.slice(0, at);
	return kind === 'ssh' ? { protocol: kind, ...hostAndPort(host), path } : { protocol: kind, host, port: null, path };
}

/** Position after the brackets of a host such as `[::1]`. */
function bracketEnd(text: string): number {
	const start = text.startsWith('[') ? 0 : text.indexOf('@[') + 1;
	return text[start] === '[' ? Math.max(0, text.indexOf(']', start)) : 0;
}

function hostAndPort(text: string): { host: string; port: string | null } {
	const [, user = '', inside, behind] = /^(.*@)?\[([^\]]*)\](.*)$/s.exec(text) ?? [];
	const port = (end: string) => (/^:\d+$/.test(end) && Number(end.slice(1)) < 65536 ? end.slice(1) : null);
	if (inside !== undefined && behind !== undefined && port(behind) !== null)
		return { host: user + inside, port: port(behind) };
	const host = (inside === undefined ? text : user + inside + (behind ?? '')).replace(/:$/, '');
	const colon = host.indexOf(':');
	const own = colon < 0 ? null : port(host.slice(colon));
	return own === null ? { host, port: null } : { host: host.slice(0, colon), port: own };
}

const percentDecoded = (text: string): string =>
	text.replace(/%[0-9a-f]{2}/gi, (escaped) => String.fromCharCode(Number.parseInt(escaped.slice(1), 16)));
