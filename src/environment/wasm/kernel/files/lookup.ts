import { errno } from '../errno.ts';
import { join } from '../../paths.ts';
import type { DirectoryInode, Inode } from './inode.ts';

const MAX_HOPS = 40;

/** Where a path leads. `path` has no symbolic link left in it, but for the last part where none was followed. */
export interface Place {
	parent: DirectoryInode;
	name: string;
	path: string;
	/** What is there now, if anything. */
	inode: Inode | undefined;
}

/**
 * Walks `path` from `root`.
 *
 * @param follow whether a symbolic link in the last part is followed too
 * @throws ENOENT and ENOTDIR for what stands in front of the last part, ELOOP
 */
export function lookup(root: DirectoryInode, path: string, follow: boolean): Place {
	const steps = parts(path).reverse();
	const directories: { inode: DirectoryInode; path: string }[] = [{ inode: root, path: '/' }];
	let hops = 0;
	let place: Place = { parent: root, name: '', path: '/', inode: root };
	// A trailing slash asks for a directory, so it follows.
	const followLast = follow || path.endsWith('/');
	while (steps.length > 0) {
		const name = steps.pop() ?? '';
		if (place.inode !== directories.at(-1)?.inode) throw errno(place.inode ? 'ENOTDIR' : 'ENOENT', path);
		if (name === '.') continue;
		if (name === '..') {
			if (directories.length > 1) directories.pop();
			const { inode, path: at } = directories.at(-1)!;
			place = { parent: directories.at(-2)?.inode ?? root, name: at.slice(at.lastIndexOf('/') + 1), path: at, inode };
			continue;
		}
		const directory = directories.at(-1)!;
		const child = directory.inode.children.get(name);
		if (child?.kind === 'symlink' && (steps.length > 0 || followLast)) {
			if (++hops > MAX_HOPS) throw errno('ELOOP', path);
			if (child.target.startsWith('/')) directories.length = 1;
			const { inode, path: at } = directories.at(-1)!;
			place = { parent: inode, name: '.', path: at, inode };
			steps.push(...parts(child.target).reverse());
			continue;
		}
		place = { parent: directory.inode, name, path: join(directory.path, name), inode: child };
		if (child?.kind === 'directory') directories.push({ inode: child, path: place.path });
	}
	if (path.endsWith('/') && place.inode && place.inode.kind !== 'directory') throw errno('ENOTDIR', path);
	return place;
}

const parts = (path: string) => path.split('/').filter((part) => part !== '');
