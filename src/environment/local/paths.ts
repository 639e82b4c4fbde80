import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { EnvironmentError } from '../errors.ts';
import { isMissing, toEnvironmentError } from '../node-errors.ts';

const MAX_LINKS = 40;

/** Virtual files of the kernel, e.g. the variables of each process: no root gives access to them. */
const KERNEL_PATHS = ['/proc', '/sys', '/dev'];

export interface PathRules {
	workingDirectory: string;
	home: string;
	/** Real paths below which files may be read and written. */
	roots: string[];
	/** Real paths below which nothing may be accessed even if they are in a root. */
	closed: string[];
}

/** Makes a caller's path absolute: `~` is the home, relative paths are below the working directory. */
export function toAbsolute(rules: PathRules, path: string): string {
	if (path.includes('\0')) throw new EnvironmentError('EINVAL', 'A path must not hold a null character', path);
	if (path === '~') return rules.home;
	if (path.startsWith('~/')) return resolve(rules.home, path.slice(2));
	return resolve(rules.workingDirectory, path);
}

/**
 * Resolves a path to its real path, following every link in it.
 *
 * @param followFinal whether to follow the last part if it is a link
 * @throws EnvironmentError `EACCES` if the real path is outside the roots, `ELOOP` for circular links
 */
export async function toReal(rules: PathRules, path: string, followFinal: boolean): Promise<string> {
	const absolute = toAbsolute(rules, path);
	const real = await follow(absolute, followFinal, 0, path);
	const inside = (root: string): boolean => real === root || real.startsWith(root === sep ? sep : root + sep);
	if (!rules.roots.some(inside) || [...KERNEL_PATHS, ...rules.closed].some(inside))
		throw new EnvironmentError('EACCES', `This path is outside the workspace: ${path}`, path);
	return real;
}

async function follow(path: string, followFinal: boolean, links: number, given: string): Promise<string> {
	if (links > MAX_LINKS) throw toEnvironmentError(Object.assign(new Error(), { code: 'ELOOP' }), given);
	const parent = dirname(path);
	if (parent === path) return path;
	const realParent = await existing(parent, links, given);
	const place = join(realParent, basename(path));
	if (!followFinal) return place;
	const target = await linkTarget(place, given);
	return target === undefined ? place : follow(resolve(realParent, target), true, links + 1, given);
}

/** Real path of a directory whose deeper parts may not exist yet. */
async function existing(directory: string, links: number, given: string): Promise<string> {
	try {
		return await realpath(directory);
	} catch (error) {
		if (!isMissing(error)) throw toEnvironmentError(error, given);
		return follow(directory, true, links + 1, given);
	}
}

async function linkTarget(path: string, given: string): Promise<string | undefined> {
	try {
		return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw toEnvironmentError(error, given);
	}
}
