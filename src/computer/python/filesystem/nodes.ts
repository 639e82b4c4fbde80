import { join } from '#computer/abi/paths.ts';
import { resize } from './content.ts';
import type { Content, FsNode, Volume } from './types.ts';

interface Attributes {
	mode?: number;
	size?: number;
	timestamp?: number;
	atime?: number;
	mtime?: number;
}

/** Emscripten's operations on files and directories by name. */
export function nodeOperations(volume: Volume) {
	const { fs, sync, guarded, pathOf, create } = volume;
	return {
		getattr(node: FsNode) {
			const unlinked = node.content?.unlinked ? node.content : null;
			const found = unlinked
				? { ...timesOf(unlinked), size: unlinked.size, mode: node.mode, device: 1, inode: node.id, links: 0 }
				: guarded(() => sync.lstat(pathOf(node)));
			return {
				dev: found.device,
				ino: found.inode || node.id,
				mode: found.mode,
				nlink: found.links,
				uid: 1000,
				gid: 1000,
				rdev: 0,
				size: found.size,
				atime: new Date(found.accessedMs),
				mtime: new Date(found.modifiedMs),
				ctime: new Date(found.changedMs),
				blksize: 4096,
				blocks: Math.ceil(found.size / 512)
			};
		},
		setattr(node: FsNode, { mode, size, timestamp, atime, mtime }: Attributes) {
			if (node.content?.unlinked) {
				if (size !== undefined) resize(node.content, size);
				return;
			}
			const path = pathOf(node);
			guarded(() => {
				if (mode !== undefined) {
					sync.chmod(path, mode & 0o7777);
					node.mode = (node.mode & 0o170_000) | (mode & 0o7777);
				}
				if (size !== undefined) {
					if (size === 0 && !sync.statOrNull(path)) sync.writeFile(path, new Uint8Array());
					else sync.truncate(path, size);
				}
				const modified = mtime ?? timestamp;
				if (modified !== undefined) sync.utimes(path, Number(atime ?? modified), Number(modified));
			});
		},
		lookup(parent: FsNode, name: string) {
			return create(parent, name, guarded(() => sync.lstat(join(pathOf(parent), name))).mode);
		},
		mknod(parent: FsNode, name: string, mode: number) {
			const path = join(pathOf(parent), name);
			const permissions = { mode: mode & 0o777 };
			guarded(() => {
				if (fs.isDir(mode)) sync.mkdir(path, permissions);
				else if ((mode & 0o170_000) === 0o010_000) sync.mkfifo(path, permissions.mode);
				else sync.writeFile(path, new Uint8Array(), permissions);
			});
			return create(parent, name, mode);
		},
		rename(node: FsNode, directory: FsNode, name: string) {
			guarded(() => sync.rename(pathOf(node), join(pathOf(directory), name)));
			node.name = name;
		},
		unlink(parent: FsNode, name: string) {
			const node = fs.lookupNode(parent, name);
			guarded(() => sync.unlink(join(pathOf(parent), name)));
			if (node.content) node.content.unlinked = true;
		},
		rmdir(parent: FsNode, name: string) {
			guarded(() => sync.rmdir(join(pathOf(parent), name)));
		},
		readdir(node: FsNode) {
			return ['.', '..', ...guarded(() => sync.readdir(pathOf(node))).map(({ name }) => name)];
		},
		symlink(parent: FsNode, name: string, target: string) {
			guarded(() => sync.symlink(target, join(pathOf(parent), name)));
			return create(parent, name, 0o120_777);
		},
		readlink(node: FsNode) {
			return guarded(() => sync.readlink(pathOf(node)));
		}
	};
}

/** Times of an open file that has no name any more. */
const timesOf = ({ modifiedMs }: Content) => ({ modifiedMs, accessedMs: modifiedMs, changedMs: modifiedMs });
