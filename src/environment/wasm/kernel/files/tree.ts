import type { WireStat } from '../../process/syscalls.ts';
import type { WireFileStat } from '../../protocol.ts';
import { isWithin, join, WRITABLE_ROOTS } from '../../paths.ts';
import { errno } from '../errno.ts';
import { gitMode, toStat, type DirectoryInode } from './inode.ts';
import type { Volume } from './volume.ts';

/** Operations on more than one inode; each is still one step of the kernel. */

/** As `rm`: a symbolic link is removed, not what it leads to. */
export function removeTree(volume: Volume, path: string, options: { recursive?: boolean; force?: boolean } = {}): void {
	const place = orMissing(() => volume.writable(path, false));
	if (!place?.inode) {
		if (options.force) return;
		throw errno('ENOENT', path);
	}
	if (place.inode.kind === 'directory' && !options.recursive) {
		if (place.inode.children.size > 0) throw errno('ENOTEMPTY', path);
		throw errno('EISDIR', path);
	}
	volume.detach(place);
}

/** As `rename(2)`: replaces a file, or an empty directory by a directory. */
export function renameEntry(volume: Volume, from: string, to: string): void {
	const source = volume.writable(from, false);
	if (!source.inode) throw errno('ENOENT', from);
	const target = volume.writable(to, false);
	if (WRITABLE_ROOTS.includes(source.path) || WRITABLE_ROOTS.includes(target.path)) throw errno('EACCES', from);
	if (source.inode === target.inode) return;
	const isDirectory = source.inode.kind === 'directory';
	if (isDirectory && isWithin(target.path, source.path)) throw errno('EINVAL', to);
	if (!isDirectory && to.endsWith('/')) throw errno('ENOTDIR', to);
	if (target.inode) {
		if (target.inode.kind === 'directory') {
			if (!isDirectory) throw errno('EISDIR', to);
			if (target.inode.children.size > 0) throw errno('ENOTEMPTY', to);
		} else if (isDirectory) throw errno('ENOTDIR', to);
		volume.release(target.inode);
	}
	source.parent.children.delete(source.name);
	target.parent.children.set(target.name, source.inode);
	source.parent.modifiedMs = target.parent.modifiedMs = Date.now();
	volume.report({ path: source.path, kind: 'rename', mode: gitMode(source.inode), to: target.path });
}

/** As `cp` (`cp -R -P` when recursive): a link inside a tree is copied as a link. */
export function copyTree(volume: Volume, from: string, to: string, options: { recursive?: boolean } = {}): void {
	const source = volume.existing(from, !options.recursive);
	if (source.inode.kind === 'directory' && !options.recursive) throw errno('EISDIR', from);
	const target = orMissing(() => volume.writable(to));
	if (target && source.inode.kind === 'directory' && isWithin(target.path, source.path)) throw errno('EINVAL', to);
	copyInto(volume, source.path, to);
}

function copyInto(volume: Volume, from: string, to: string): void {
	const { inode } = volume.existing(from, false);
	if (inode.kind === 'file') volume.writeFile(to, inode.content.view().slice(), { mode: inode.mode });
	else if (inode.kind === 'symlink') {
		removeTree(volume, to, { force: true });
		volume.symlink(inode.target, to);
	} else {
		volume.mkdir(to, { recursive: true });
		for (const name of [...inode.children.keys()]) copyInto(volume, join(from, name), join(to, name));
	}
}

/** Everything below `path`, depth first, without what is named in `skip`. */
export function walkTree(
	volume: Volume,
	path: string,
	skip: readonly string[] = []
): { path: string; stat: WireStat }[] {
	const top = volume.existing(path);
	if (top.inode.kind !== 'directory') return [{ path, stat: toStat(top.inode) }];
	const found: { path: string; stat: WireStat }[] = [];
	const skipped = new Set(skip);
	const visit = (directory: DirectoryInode, at: string): void => {
		for (const [name, child] of directory.children) {
			if (skipped.has(name)) continue;
			const below = join(at, name);
			found.push({ path: below, stat: toStat(child) });
			if (child.kind === 'directory') visit(child, below);
		}
	};
	visit(top.inode, path.length > 1 ? path.replace(/\/+$/, '') : path);
	return found;
}

function orMissing<T>(find: () => T): T | null {
	try {
		return find();
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
		throw error;
	}
}

/** What is below `path`, `depth` levels of it, by path relative to it, sorted. Links are not followed. */
export function listTree(volume: Volume, path: string, depth: number): (WireFileStat & { path: string })[] {
	const top = volume.existing(path);
	if (top.inode.kind !== 'directory') throw errno('ENOTDIR', path);
	const found: (WireFileStat & { path: string })[] = [];
	const visit = (directory: DirectoryInode, below: string, left: number): void => {
		for (const [name, child] of directory.children) {
			const { kind, size, modifiedMs } = toStat(child);
			found.push({ path: below + name, kind, size, mode: child.mode, modifiedMs });
			if (child.kind === 'directory' && left > 1) visit(child, `${below}${name}/`, left - 1);
		}
	};
	visit(top.inode, '', depth);
	return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
