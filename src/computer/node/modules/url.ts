import type { Runtime } from '../runtime/runtime.ts';
import { invalidArgument, nodeError } from '../runtime/errors.ts';
import { plainObject } from '../runtime/validate.ts';
import { fileURLToPath, fileURLToPathBuffer, urlOfPath, urlOfWindowsPath, type FileUrlOptions } from './file-url.ts';
import { createPath } from './path.ts';
import { Url } from './legacy-url.ts';
import { punycode } from './punycode.ts';

interface PathModule {
	resolve(path: string): string;
	win32: PathModule;
}

/** `node:url`: the standard classes, file URLs, and the older `parse` and `format`. */
export function createUrl(runtime: Runtime): Record<string, unknown> {
	const { resolve: resolvePath, win32 } = createPath(runtime) as unknown as PathModule;
	return {
		URL,
		URLSearchParams,
		fileURLToPath,
		fileURLToPathBuffer,
		pathToFileURL: (path: string, options?: FileUrlOptions) => {
			if (typeof path !== 'string') throw invalidArgument('path', 'of type string', path);
			if (options?.windows) return urlOfWindowsPath(win32.resolve(path) + (/[\\/]$/.test(path) ? '\\' : ''));
			const slash = path.endsWith('/') && path.length > 1 ? '/' : '';
			return urlOfPath(resolvePath(path) + slash);
		},
		urlToHttpOptions,
		domainToASCII,
		domainToUnicode: (...args: unknown[]) => punycode.toUnicode(domainToASCII(...args)),
		parse,
		format,
		resolve,
		resolveObject: (from: string, to: string) => (from === '' ? to : parse(resolve(from, to))),
		Url
	};
}

/** Options of `http.request` for a URL; also for a copy of one, which has none of its fields. */
export function urlToHttpOptions(url: URL): Record<string, unknown> {
	const { hostname, pathname, search, username, password } = url;
	const options = {
		// Properties added by a program, such as an agent.
		...url,
		protocol: url.protocol,
		hostname: hostname?.startsWith('[') ? hostname.slice(1, -1) : hostname,
		hash: url.hash,
		search,
		pathname,
		path: `${pathname || ''}${search || ''}`,
		href: url.href,
		...(url.port !== '' ? { port: Number(url.port) } : {}),
		...(username || password ? { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` } : {})
	};
	return Object.assign(Object.create(null) as Record<string, unknown>, options);
}

/** Host name in ASCII; empty if it is invalid. @throws ERR_MISSING_ARGS */
function domainToASCII(...args: unknown[]): string {
	if (args.length === 0) throw nodeError(TypeError, 'ERR_MISSING_ARGS', 'The "domain" argument must be specified');
	const address = `ws://${args[0] as string}`;
	return URL.canParse(address) ? new URL(address).hostname : '';
}

function resolve(from: string, to: string): string {
	const base = new URL(from, 'resolve://');
	const resolved = new URL(to, base);
	if (resolved.protocol !== 'resolve:') return resolved.href;
	const path = `${resolved.host && `//${resolved.host}`}${resolved.pathname}${resolved.search}${resolved.hash}`;
	// If both are relative, so is the result.
	return /^[/\\]/.test(from) || /^[/\\]/.test(to) ? path : path.replace(/^\//, '');
}

/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_URL */
function parse(given: unknown, parseQuery = false, slashesDenoteHost = false): Url {
	if (given instanceof Url) return given;
	if (typeof given !== 'string') throw invalidArgument('url', 'of type string', given);
	return new Url().parse(given, parseQuery, slashesDenoteHost);
}

/** Any value except `undefined` and `null` is converted to a boolean. */
interface FormatOptions {
	auth?: unknown;
	fragment?: unknown;
	search?: unknown;
	/** Shows the host in Unicode instead of ASCII. */
	unicode?: unknown;
}

const isOff = (option: unknown): boolean => option !== undefined && option !== null && !option;

/** @throws ERR_INVALID_ARG_TYPE */
function format(value: unknown, options: FormatOptions = {}): string {
	if (typeof value === 'string') return parse(value).format();
	if (typeof value !== 'object' || value === null) {
		throw invalidArgument('urlObject', 'one of type Object or string', value);
	}
	if (!(value instanceof URL)) return Object.assign(new Url(), value).format();
	if (options !== undefined) plainObject(options, 'options');
	const shown = new URL(value);
	if (isOff(options.auth)) shown.username = shown.password = '';
	if (isOff(options.fragment)) shown.hash = '';
	if (isOff(options.search)) shown.search = '';
	const { href, host, hostname } = shown;
	if (!options.unicode || hostname === '') return href;
	// The host follows the user name and password, which contain no `/`.
	return href.replace(host, punycode.toUnicode(hostname) + host.slice(hostname.length));
}
