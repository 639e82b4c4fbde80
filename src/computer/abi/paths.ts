/** Absolute POSIX paths of the sandbox, computed without accessing the volume. */

export const WORKSPACE = '/workspace';
export const HOME = '/home/user';
/**
 * Search path of commands: the sandbox's own first, so that commands installed by `pip install` and `npm install -g`
 * never replace them.
 */
export const SEARCH_PATH = [
	'/usr/local/bin',
	'/usr/bin',
	'/bin',
	`${HOME}/.local/bin`,
	`${HOME}/.npm-global/node_modules/.bin`
].join(':');
/** Directories of temporary files: `/tmp`, and `/dev/shm`, which is a file system of its own. */
export const TEMPORARY_ROOTS: readonly string[] = ['/tmp', '/dev/shm'];
/** Nothing outside these can be written. */
export const WRITABLE_ROOTS: readonly string[] = [WORKSPACE, HOME, ...TEMPORARY_ROOTS];

/** Resolves `.`, `..` and doubled slashes. `..` at the root stays there, as in POSIX. */
export function normalize(path: string): string {
	const parts: string[] = [];
	for (const part of path.split('/')) {
		if (part === '' || part === '.') continue;
		if (part === '..') parts.pop();
		else parts.push(part);
	}
	return '/' + parts.join('/');
}

/** Resolves `path` against `base`: relative paths below it, `~` as the home directory, absolute paths unchanged. */
export function absolute(path: string, base: string): string {
	if (path === '~' || path.startsWith('~/')) return normalize(HOME + path.slice(1));
	return normalize(path.startsWith('/') ? path : `${base}/${path}`);
}

export function join(directory: string, name: string): string {
	return directory === '/' ? `/${name}` : `${directory}/${name}`;
}

export function dirname(path: string): string {
	const slash = path.lastIndexOf('/');
	return slash <= 0 ? '/' : path.slice(0, slash);
}

export function basename(path: string): string {
	return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns true for `root` itself and everything below it. */
export function isWithin(path: string, root: string): boolean {
	return path === root || path.startsWith(root === '/' ? '/' : `${root}/`);
}
