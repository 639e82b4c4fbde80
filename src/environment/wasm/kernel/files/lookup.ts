import type { Link } from '@jsonjoy.com/fs-core';
import { errno } from '../errno.ts';
import { join } from '../../paths.ts';
import { isDirectory, targetOf } from './inode.ts';

const MAX_HOPS = 40;

/** Where a path leads. `path` has no symbolic link left in it, but for the last part where none was followed. */
export interface Place {
	parent: Link;
	name: string;
	path: string;
	/** What is there now, if anything. */
	link: Link | undefined;
}

/**
 * Walks `path` from `root`.
 *
 * @param follow whether a symbolic link in the last part is followed too
 * @throws ENOENT and ENOTDIR for what stands in front of the last part, ELOOP
 */
export function lookup(root: Link, path: string, follow: boolean): Place {
	const steps = parts(path).reverse();
	const directories: { link: Link; path: string }[] = [{ link: root, path: '/' }];
	let hops = 0;
	let place: Place = { parent: root, name: '', path: '/', link: root };
	// A trailing slash asks for a directory, so it follows.
	const followLast = follow || path.endsWith('/');
	while (steps.length > 0) {
		const name = steps.pop() ?? '';
		if (place.link !== directories.at(-1)?.link) throw errno(place.link ? 'ENOTDIR' : 'ENOENT', path);
		if (name === '.') continue;
		if (name === '..') {
			if (directories.length > 1) directories.pop();
			const { link, path: at } = directories.at(-1)!;
			place = { parent: directories.at(-2)?.link ?? root, name: at.slice(at.lastIndexOf('/') + 1), path: at, link };
			continue;
		}
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
