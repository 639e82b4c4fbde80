import { entryPathFault, type EntryPathRules } from '#environment/entry-path.ts';
import { join } from '#computer/abi/paths.ts';
import { errno } from '#computer/abi/errno.ts';
import { isDirectory, targetOf } from './inode.ts';
import { SYMLINK_TYPE, TYPE_BITS } from '#computer/abi/file-types.ts';
import { removeTree } from './tree.ts';
import type { Volume } from './volume.ts';

/** Pairs each file with its part of `contents`. @throws EINVAL if the sizes do not match */
export function* withContents(
	files: { path: string; mode: number; size: number }[],
	contents: Uint8Array
): Generator<{ path: string; mode: number; bytes: Uint8Array }> {
	let at = 0;
	for (const { path, mode, size } of files) yield { path, mode, bytes: contents.slice(at, (at += size)) };
	if (at !== contents.length) throw errno('EINVAL', undefined, 'load: the contents are not as long as the sizes say');
}

/**
 * Writes a batch of an import below `root`, creating parents and replacing conflicting entries.
 *
 * @throws EINVAL for a path that does not stay below `root`, EACCES for one that leads through a symbolic link
 */
export function loadEntries(
	volume: Volume,
	root: string,
	entries: { path: string; mode: number; bytes: Uint8Array }[],
	rules: EntryPathRules = {}
): void {
	if (entries.length === 0) return;
	const top = volume.existing(root).path;
	let made: string | null = null;
	for (const { path: below, mode, bytes } of entries) {
		const fault = entryPathFault(below, rules);
		if (fault !== null) throw errno('EINVAL', below, `cannot be imported, because ${fault}`);
		const path = join(top, below);
		const directory = path.slice(0, path.lastIndexOf('/'));
		// In an import, the files of a directory are adjacent.
		if (directory !== made) {
			refuseLinks(volume, top, below);
			volume.makeParents(path);
		}
		made = directory;
		if ((mode & TYPE_BITS) === SYMLINK_TYPE) {
			removeTree(volume, path, { force: true, recursive: true });
			volume.symlink(new TextDecoder().decode(bytes), path);
			// The file may replace the directory of the next one.
			made = null;
			continue;
		}
		if (targetOf(volume.writable(path, false).link) !== null) removeTree(volume, path);
		const permissions = mode & 0o111 ? 0o755 : 0o644;
		volume.writeFile(path, bytes, { mode: permissions });
		volume.chmod(path, permissions);
	}
}

/** @throws EACCES if a directory between `top` and the last part of `below` is a symbolic link */
function refuseLinks(volume: Volume, top: string, below: string): void {
	let { link } = volume.existing(top, false);
	for (const name of below.split('/').slice(0, -1)) {
		const next = link.children.get(name);
		if (!next) return;
		if (targetOf(next) !== null)
			throw errno('EACCES', below, 'cannot be imported, because it leads through a symbolic link');
		if (!isDirectory(next)) return;
		link = next;
	}
}
