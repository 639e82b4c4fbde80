import { errno } from '../errno.ts';
import { targetOf } from './inode.ts';
import { SYMLINK_TYPE, TYPE_BITS } from './types.ts';
import { removeTree } from './tree.ts';
import type { Volume } from './volume.ts';

/** Gives each file its own part of `contents`. @throws EINVAL when they are not what the sizes say */
export function* withContents(
	files: { path: string; mode: number; size: number }[],
	contents: Uint8Array
): Generator<{ path: string; mode: number; bytes: Uint8Array }> {
	let at = 0;
	for (const { path, mode, size } of files) yield { path, mode, bytes: contents.slice(at, (at += size)) };
	if (at !== contents.length) throw errno('EINVAL', undefined, 'load: the contents are not as long as the sizes say');
}

/** Writes a batch of an import, parents made, what stands in the way replaced. */
export function loadEntries(volume: Volume, entries: { path: string; mode: number; bytes: Uint8Array }[]): void {
	let made: string | null = null;
	for (const { path, mode, bytes } of entries) {
		const directory = path.slice(0, path.lastIndexOf('/'));
		// An import brings the files of a directory together.
		if (directory !== made) volume.makeParents(path);
		made = directory;
		if ((mode & TYPE_BITS) === SYMLINK_TYPE) {
			removeTree(volume, path, { force: true, recursive: true });
			volume.symlink(new TextDecoder().decode(bytes), path);
			// It may stand where the next one's directory stood.
			made = null;
			continue;
		}
		if (targetOf(volume.writable(path, false).link) !== null) removeTree(volume, path);
		const permissions = mode & 0o111 ? 0o755 : 0o644;
		volume.writeFile(path, bytes, { mode: permissions });
		volume.chmod(path, permissions);
	}
}
