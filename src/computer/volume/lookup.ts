import type { Link } from '@jsonjoy.com/fs-core';
import { errno } from '#computer/abi/errno.ts';
import { join } from '#computer/abi/paths.ts';
import { isDirectory, targetOf } from './inode.ts';
import { checkEnter } from './permissions.ts';

const MAX_HOPS = 40;
/** As in Linux: `PATH_MAX` without its NUL, `NAME_MAX`. */
const MAX_PATH = 4095;
const MAX_NAME = 255;
const UTF_8 = new TextEncoder();

/** Resolved path. `path` contains no symbolic link, except in the last part if that was not followed. */
export interface Place {
	parent: Link;
	name: string;
	path: string;
	/** Existing entry, if any. */
	link: Link | undefined;
}

/**
 * Resolves `path` from `root`.
 *
 * @param follow follows a symbolic link in the last part too
 * @param isGuarded checks the permissions of the directories on the way
 * @throws ENOENT and ENOTDIR for parts before the last, ELOOP, ENAMETOOLONG, EACCES
 */
export function lookup(root: Link, path: string, follow: boolean, isGuarded = false): Place {
	if (isLonger(path, MAX_PATH)) throw errno('ENAMETOOLONG', path);
	const steps = parts(path).reverse();
	const directories: { link: Link; path: string }[] = [{ link: root, path: '/' }];
	let hops = 0;
	let place: Place = { parent: root, name: '', path: '/', link: root };
	// A trailing slash requires a directory, so the link is followed.
	const followLast = follow || path.endsWith('/');
	while (steps.length > 0) {
		const name = steps.pop() ?? '';
		if (place.link !== directories.at(-1)?.link) throw errno(place.link ? 'ENOTDIR' : 'ENOENT', path);
		if (isGuarded) checkEnter(directories.at(-1)!.link, path);
		if (name === '.') continue;
		if (name === '..') {
			if (directories.length > 1) directories.pop();
			const { link, path: at } = directories.at(-1)!;
			place = { parent: directories.at(-2)?.link ?? root, name: at.slice(at.lastIndexOf('/') + 1), path: at, link };
			continue;
		}
		if (isLonger(name, MAX_NAME)) throw errno('ENAMETOOLONG', path);
		const directory = directories.at(-1)!;
		const child = directory.link.children.get(name);
		const target = steps.length > 0 || followLast ? targetOf(child) : null;
		if (target !== null) {
			if (++hops > MAX_HOPS) throw errno('ELOOP', path);
			if (target.startsWith('/')) directories.length = 1;
			const { link, path: at } = directories.at(-1)!;
			place = { parent: link, name: '.', path: at, link };
			steps.push(...parts(target).reverse());
			continue;
		}
		place = { parent: directory.link, name, path: join(directory.path, name), link: child };
		if (child && isDirectory(child)) directories.push({ link: child, path: place.path });
	}
	if (path.endsWith('/') && place.link && !isDirectory(place.link)) throw errno('ENOTDIR', path);
	return place;
}

const parts = (path: string) => path.split('/').filter((part) => part !== '');

/** Compares a length in bytes: up to three for each UTF-16 unit. */
const isLonger = (text: string, bytes: number) =>
	text.length > bytes || (text.length * 3 > bytes && UTF_8.encode(text).length > bytes);
