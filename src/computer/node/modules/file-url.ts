import { Buffer } from 'buffer';
import { invalidArgument, nodeError } from '../runtime/errors.ts';

export interface FileUrlOptions {
	/** True for paths of Windows. */
	windows?: boolean;
}

/** Characters of a path that would end it in a URL, or that `encodeURI` takes for something else. */
export const encodePath = (path: string): string => encodeURI(path).replace(/[?#]/g, encodeURIComponent);

/** `url.fileURLToPath`. @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_URL_SCHEME, ERR_INVALID_FILE_URL_HOST, ERR_INVALID_FILE_URL_PATH */
export function fileURLToPath(url: string | URL, options?: FileUrlOptions): string {
	const parsed = fileUrl(url);
	return options?.windows ? windowsPath(parsed) : decodeURIComponent(posixPath(parsed));
}

/** `url.fileURLToPathBuffer`: keeps bytes that are not UTF-8. @throws as `fileURLToPath`, but for no bytes */
export function fileURLToPathBuffer(url: string | URL, options?: FileUrlOptions): Buffer {
	const parsed = fileUrl(url);
	if (options?.windows) return Buffer.from(windowsPath(parsed));
	const parts = posixPath(parsed).split(/%([0-9A-Fa-f]{2})/);
	return Buffer.concat(parts.map((part, i) => (i % 2 === 1 ? Buffer.from(part, 'hex') : Buffer.from(part))));
}

/** URL of an absolute POSIX path. */
export const urlOfPath = (path: string): URL => new URL(`file://${encodePath(path)}`);

/** URL of an absolute path of Windows, on a drive or a server. */
export function urlOfWindowsPath(path: string): URL {
	const [, server, rest] = /^\\\\([^\\]+)(\\.*)$/s.exec(path) ?? [];
	const slashed = (rest ?? path).replaceAll('\\', '/');
	return server === undefined
		? new URL(`file:///${encodePath(slashed)}`)
		: new URL(`file://${server}${encodePath(slashed)}`);
}

function fileUrl(url: string | URL): URL {
	if (typeof url !== 'string' && !(url instanceof URL)) {
		throw invalidArgument('path', 'of type string or an instance of URL', url);
	}
	const parsed = new URL(url);
	if (parsed.protocol === 'file:') return parsed;
	throw nodeError(TypeError, 'ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file');
}

/** Path as it stands in the URL. */
function posixPath({ hostname, pathname }: URL): string {
	if (hostname) {
		throw nodeError(TypeError, 'ERR_INVALID_FILE_URL_HOST', 'File URL host must be "localhost" or empty on linux');
	}
	if (/%2f/i.test(pathname)) throw invalidPath('must not include encoded / characters');
	return pathname;
}

function windowsPath({ hostname, pathname }: URL): string {
	if (/%2f|%5c/i.test(pathname)) throw invalidPath('must not include encoded \\ or / characters');
	const path = decodeURIComponent(pathname.replaceAll('/', '\\'));
	if (hostname) return `\\\\${hostname}${path}`;
	if (!/^\\[A-Za-z]:/.test(path)) throw invalidPath('must be absolute');
	return path.slice(1);
}

const invalidPath = (what: string) => nodeError(TypeError, 'ERR_INVALID_FILE_URL_PATH', `File URL path ${what}`);
