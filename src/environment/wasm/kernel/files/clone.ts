import type { DirectoryInode, Inode } from './inode.ts';
import { Volume } from './volume.ts';

/** A volume with the same files, sharing their bytes until one side writes. */
export function cloneVolume(volume: Volume): Volume {
	const copies = new Map<Inode, Inode>();
	const copy = (inode: Inode): Inode => {
		const known = copies.get(inode);
		if (known) return known;
		const made: Inode =
			inode.kind === 'file'
				? { ...inode, content: inode.content.clone() }
				: inode.kind === 'directory'
					? copyDirectory(inode)
					: { ...inode };
		copies.set(inode, made);
		return made;
	};
	const copyDirectory = (directory: DirectoryInode): DirectoryInode => ({
		...directory,
		children: new Map([...directory.children].map(([name, child]) => [name, copy(child)]))
	});
	const made = new Volume(copyDirectory(volume.root));
	made.used = volume.used;
	return made;
}
