import type { Runtime } from '../runtime/runtime.ts';
import { invalidArgument, nodeError } from '../runtime/errors.ts';
import { createPath } from './path.ts';
import * as querystring from './querystring.ts';

interface LegacyUrl {
	protocol?: string | null;
	slashes?: boolean | null;
	auth?: string | null;
	host?: string | null;
	port?: string | null;
	hostname?: string | null;
	hash?: string | null;
	search?: string | null;
	query?: unknown;
	pathname?: string | null;
	path?: string | null;
	href?: string;
}

/** `node:url`: the standard classes, file addresses, and the older `parse` and `format`. */
export function createUrl(runtime: Runtime): Record<string, unknown> {
	const resolvePath = createPath(runtime)['resolve'] as (path: string) => string;
	return {
		URL,
		URLSearchParams,
		fileURLToPath,
		pathToFileURL: (path: string) => {
			if (typeof path !== 'string') throw invalidArgument('path', 'of type string', path);
			const slash = path.endsWith('/') && path.length > 1 ? '/' : '';
			return new URL(`file://${encodePath(resolvePath(path) + slash)}`);
		},
		urlToHttpOptions: (url: URL) => ({
			protocol: url.protocol,
			hostname: url.hostname.replace(/^\[|\]$/g, ''),
			hash: url.hash,
			search: url.search,
			pathname: url.pathname,
			path: `${url.pathname}${url.search}`,
			href: url.href,
			...(url.port ? { port: Number(url.port) } : {}),
			...(url.username ? { auth: `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` } : {})
		}),
		domainToASCII: (domain: string) => new URL(`http://${domain}`).hostname,
		domainToUnicode: (domain: string) => domain,
		parse,
		format,
		resolve: (from: string, to: string) => {
			const base = new URL(from, 'resolve://');
			const resolved = new URL(to, base);
			return resolved.protocol === 'resolve:' ? resolved.pathname + resolved.search + resolved.hash : resolved.href;
		},
		Url: class Url {}
	};
}

export function fileURLToPath(url: string | URL): string {
	if (typeof url !== 'string' && !(url instanceof URL)) {
		throw invalidArgument('path', 'of type string or an instance of URL', url);
	}
	const parsed = new URL(url);
	if (parsed.protocol !== 'file:')
		throw nodeError(TypeError, 'ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file');
	if (parsed.hostname) {
		throw nodeError(TypeError, 'ERR_INVALID_FILE_URL_HOST', 'File URL host must be "localhost" or empty on linux');
	}
	return decodeURIComponent(parsed.pathname);
}

const encodePath = (path: string) => encodeURI(path).replace(/[?#]/g, encodeURIComponent);

function parse(text: string, parseQuery = false): LegacyUrl {
	const match =
		/^(?:([a-z][a-z0-9+.-]*:))?(?:(\/\/)(?:([^@/?#]*)@)?([^/?#:]*)(?::(\d+))?)?([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(
			text.trim()
		);
	if (!match) throw nodeError(TypeError, 'ERR_INVALID_URL', 'Invalid URL');
	const [, protocol, slashes, auth, hostname, port, pathname, search, hash] = match;
	const path = pathname || (slashes ? '/' : '');
	const result: LegacyUrl = {
		protocol: protocol?.toLowerCase() ?? null,
		slashes: slashes ? true : null,
		auth: auth === undefined ? null : decodeURIComponent(auth),
		host: slashes ? `${hostname?.toLowerCase() ?? ''}${port ? `:${port}` : ''}` : null,
		port: port ?? null,
		hostname: slashes ? (hostname?.toLowerCase() ?? '') : null,
		hash: hash ?? null,
		search: search ?? (parseQuery ? '' : null),
		query: parseQuery ? querystring.parse(search?.slice(1) ?? '') : (search?.slice(1) ?? null),
		pathname: path || null,
		path: path || search ? `${path}${search ?? ''}` : null
	};
	return { ...result, href: format(result) };
}

function format(value: LegacyUrl | URL | string): string {
	if (typeof value === 'string') return format(parse(value));
	if (value instanceof URL) return value.href;
	const protocol = value.protocol ? value.protocol.replace(/:?$/, ':') : '';
	const auth = value.auth ? `${encodeURIComponent(value.auth).replace('%3A', ':')}@` : '';
	const host = value.host ?? (value.hostname ? `${value.hostname}${value.port ? `:${value.port}` : ''}` : null);
	const slashes = value.slashes || (host !== null && /^(https?|ftp|file):$/.test(protocol)) ? '//' : '';
	const query = typeof value.query === 'object' && value.query ? querystring.stringify(value.query as never) : '';
	const search = value.search ?? (query ? `?${query}` : '');
	return `${protocol}${slashes}${auth}${host ?? ''}${value.pathname ?? ''}${search}${value.hash ?? ''}`;
}
