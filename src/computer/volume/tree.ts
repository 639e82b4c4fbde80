import type { Link } from '@jsonjoy.com/fs-core';
import type { WireStat } from '#computer/abi/syscalls.ts';
import type { WireFileStat } from '#computer/abi/protocol.ts';
import { basename, dirname, isWithin, join, WRITABLE_ROOTS } from '#computer/abi/paths.ts';
import { isSpecialKind } from '#computer/abi/special-files.ts';
import { errno } from '#computer/abi/errno.ts';
import { childrenOf, deviceOf, fileOf, gitMode, isDirectory, isFifo, isSpecial, targetOf, toStat } from './inode.ts';
import { lookup } from './lookup.ts';
import type { Volume } from './volume.ts';

/** Operations on several nodes; each is still one step of the kernel. */

/** Removes like `rm`: a symbolic link itself, not its target. */
export function removeTree(volume: Volume, path: string, options: { recursive?: boolean; force?: boolean } = {}): void {
	const place = orMissing(() => volume.writable(path, false));
	if (!place?.link) {
		if (options.force) return;
		throw errno('ENOENT', path);
	}
	if (isDirectory(place.link) && !options.recursive) {
		if (place.link.length > 0) throw errno('ENOTEMPTY', path);
		throw errno('EISDIR', path);
	}
	volume.checkRemoval(place, path);
	volume.detach(place);
}

/** Renames like `rename(2)`: replaces a file, or an empty directory by a directory. */
export function renameEntry(volume: Volume, from: string, to: string): void {
	const source = volume.writable(from, false);
	if (!source.link) throw errno('ENOENT', from);
	const target = volume.writable(to, false);
	if (WRITABLE_ROOTS.includes(source.path) || WRITABLE_ROOTS.includes(target.path)) throw errno('EACCES', from);
	if (deviceOf(source.link) !== deviceOf(target.parent)) throw errno('EXDEV', from);
	volume.checkEntries(source, from);
	volume.checkEntries(target, to);
	const node = source.link.getNode();
	if (node === target.link?.getNode()) return;
	const movesDirectory = isDirectory(source.link);
	if (movesDirectory && isWithin(target.path, source.path)) throw errno('EINVAL', to);
	if (!movesDirectory && to.endsWith('/')) throw errno('ENOTDIR', to);
	if (target.link) {
		if (isDirectory(target.link)) {
			if (!movesDirectory) throw errno('EISDIR', to);
			if (target.link.length > 0) throw errno('ENOTEMPTY', to);
		} else if (movesDirectory) throw errno('ENOTDIR', to);
		const mode = gitMode(target.link.getNode());
		volume.drop(target.link);
		// The journal does not record the pipe or socket that replaces the target.
		if (isSpecial(source.link)) volume.report({ path: target.path, kind: 'remove', mode });
	}
	volume.store.move(source.link, target.parent, target.name);
	volume.report({ path: source.path, kind: 'rename', mode: gitMode(node), to: target.path });
}

/** Copies like `cp` (`cp -R -P` when recursive): a link inside a tree is copied as a link. */
export function copyTree(volume: Volume, from: string, to: string, options: { recursive?: boolean } = {}): void {
	const source = volume.existing(from, !options.recursive);
	if (isDirectory(source.link) && !options.recursive) throw errno('EISDIR', from);
	if (isDirectory(source.link) && isWithin(realTarget(volume, to), source.path)) throw errno('EINVAL', to);
	copyInto(volume, source.path, to);
}

/** Real path of something that need not exist yet, nor its parents. */
export function realTarget(volume: Volume, path: string, follow = true): string {
	const place = orMissing(() => lookup(volume.root, path, follow), ['ENOENT', 'ENOTDIR']);
	if (place) return place.path;
	const trimmed = path.replace(/\/+$/, '');
	return join(realTarget(volume, dirname(trimmed)), basename(trimmed));
}

function copyInto(volume: Volume, from: string, to: string): void {
	const { link } = volume.existing(from, false);
	const file = fileOf(link);
	const linked = targetOf(link);
	if (file) volume.writeFile(to, file.content.peek().slice(), { mode: file.perm });
	else if (linked !== null) {
		removeTree(volume, to, { force: true });
		volume.symlink(linked, to);
	} else if (isSpecial(link)) {
		removeTree(volume, to, { force: true });
		if (isFifo(link)) volume.mkfifo(to, link.getNode().perm);
		else volume.makeSocket(to, link.getNode().perm);
	} else {
		volume.mkdir(to, { recursive: true });
		for (const [name] of childrenOf(link)) copyInto(volume, join(from, name), join(to, name));
	}
}

/**
 * Everything below `path`, depth first, except the paths in `skip` and directories with a name in `skipDirectories`.
 */
export function walkTree(
	volume: Volume,
	path: string,
	{ skip = [], skipDirectories = [] }: { skip?: readonly string[]; skipDirectories?: readonly string[] } = {}
): { path: string; stat: WireStat }[] {
	const top = volume.existing(path);
	if (!isDirectory(top.link)) return [{ path, stat: toStat(top.link) }];
	const found: { path: string; stat: WireStat }[] = [];
	const skipped = new Set(skip);
	const notEntered = new Set(skipDirectories);
	const visit = (directory: Link, at: string): void => {
		for (const [name, child] of childrenOf(directory)) {
			if (skipped.has(name) || (notEntered.has(name) && isDirectory(child))) continue;
			const below = join(at, name);
			found.push({ path: below, stat: toStat(child) });
			if (isDirectory(child) && volume.mayWalk(child)) visit(child, below);
		}
	};
	if (!volume.mayWalk(top.link)) throw errno('EACCES', path);
	visit(top.link, path.length > 1 ? path.replace(/\/+$/, '') : path);
	return found;
}

function orMissing<T>(find: () => T, codes: readonly unknown[] = ['ENOENT']): T | null {
	try {
		return find();
	} catch (error) {
		if (error instanceof Error && 'code' in error && codes.includes(error.code)) return null;
		throw error;
	}
}

/** Lists `depth` levels below `path` for the page, sorted by path, without named pipes. Links are not followed. */
export function listTree(volume: Volume, path: string, depth: number): (WireFileStat & { path: string })[] {
	const top = volume.existing(path);
	if (!isDirectory(top.link)) throw errno('ENOTDIR', path);
	const found: (WireFileStat & { path: string })[] = [];
	const visit = (directory: Link, below: string, left: number): void => {
		for (const [name, child] of childrenOf(directory)) {
			const { kind, size, modifiedMs } = toStat(child);
			if (isSpecialKind(kind)) continue;
			found.push({ path: below + name, kind, size, mode: child.getNode().perm, modifiedMs });
			if (isDirectory(child) && left > 1) visit(child, `${below}${name}/`, left - 1);
		}
	};
	visit(top.link, '', depth);
	return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
