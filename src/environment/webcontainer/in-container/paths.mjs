import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

const MAX_LINKS = 40;

/** @param {string} code @param {string} [path] */
export const failure = (code, path) => Object.assign(new Error(code), { code, path });

/** Returns true if nothing exists at the path, whichever part of it is missing. */
export const isMissing = (error) => error?.code === 'ENOENT' || error?.code === 'ENOTDIR';

/**
 * Resolves a path to its real path, following every link in it.
 *
 * @param {{ roots: string[], closed: string[] }} rules `roots` may be used, except what is below `closed`
 * @param {string} path absolute
 * @param {boolean} followFinal whether to follow the last part if it is a link
 */
export async function toReal(rules, path, followFinal) {
	const real = await follow(resolve(path), followFinal, 0);
	const inside = (root) => real === root || real.startsWith(`${root}/`);
	if (!rules.roots.some(inside) || rules.closed.some(inside)) throw failure('EACCES', path);
	return real;
}

async function follow(path, followFinal, links) {
	if (links > MAX_LINKS) throw failure('ELOOP', path);
	const parent = dirname(path);
	if (parent === path) return path;
	const realParent = await existing(parent, links);
	const place = join(realParent, basename(path));
	if (!followFinal) return place;
	const target = await linkTarget(place);
	return target === undefined ? place : follow(resolve(realParent, target), true, links + 1);
}

/** Real path of a directory whose deeper parts may not exist yet. */
async function existing(directory, links) {
	try {
		return await realpath(directory);
	} catch (error) {
		if (!isMissing(error)) throw error;
		return follow(directory, true, links + 1);
	}
}

async function linkTarget(path) {
	try {
		return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}
