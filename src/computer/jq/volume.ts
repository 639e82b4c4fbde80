import { SyscallError, type SyncSyscalls } from '#computer/abi/client.ts';
import { join } from '#computer/abi/paths.ts';
import type { EmscriptenFs, FsNode, FsStream } from './emscripten.ts';

/** Directories of Emscripten's own file system, for its devices. */
const OWN = new Set(['dev', 'proc']);
/** Emscripten's numbers of the errors that can occur when reading. */
const ERRNO: Record<string, number> = { ENOENT: 44, EACCES: 2, ENOTDIR: 54, EISDIR: 31, ELOOP: 32 };
const EIO = 29;

/** Mounts the volume in Emscripten's file system. jq only reads. */
export function mountVolume(fs: EmscriptenFs, sync: SyncSyscalls): void {
	const guarded = <Value>(work: () => Value): Value => {
		try {
			return work();
		} catch (error) {
			if (!(error instanceof SyscallError)) throw error;
			throw new fs.ErrnoError(ERRNO[error.code] ?? EIO);
		}
	};
	const create = (parent: FsNode | null, name: string, mode: number): FsNode =>
		Object.assign(fs.createNode(parent, name, mode, 0), { node_ops: nodes, stream_ops: streams });
	const nodes = {
		getattr: (node: FsNode) =>
			attributes(
				node,
				guarded(() => sync.lstat(pathOf(node)))
			),
		lookup: (parent: FsNode, name: string) =>
			create(parent, name, guarded(() => sync.lstat(join(pathOf(parent), name))).mode),
		readdir: (node: FsNode) => ['.', '..', ...guarded(() => sync.readdir(pathOf(node))).map(({ name }) => name)],
		readlink: (node: FsNode) => guarded(() => sync.readlink(pathOf(node)))
	};
	const streams = {
		open(stream: FsStream) {
			if ((stream.node.mode & 0o170_000) === 0o100_000)
				stream.bytes = guarded(() => sync.readFile(pathOf(stream.node)));
		},
		read({ bytes = new Uint8Array() }: FsStream, into: Uint8Array, offset: number, length: number, position: number) {
			const piece = bytes.subarray(position, position + length);
			into.set(piece, offset);
			return piece.length;
		},
		llseek: ({ position, bytes }: FsStream, offset: number, whence: number) =>
			offset + [0, position, bytes?.length ?? 0][whence]!
	};
	const type = {
		mount: ({ mountpoint }: { mountpoint: string }) => create(null, '/', guarded(() => sync.stat(mountpoint)).mode)
	};
	for (const { name, kind } of sync.readdir('/')) {
		if (kind !== 'directory' || OWN.has(name)) continue;
		fs.mkdirTree(`/${name}`);
		fs.mount(type, {}, `/${name}`);
	}
}

function pathOf(node: FsNode): string {
	const names: string[] = [];
	for (; node.parent !== node; node = node.parent) names.unshift(node.name);
	return [node.mount.mountpoint, ...names].join('/');
}

function attributes(node: FsNode, { size, mode, modifiedMs, device, inode, links }: ReturnType<SyncSyscalls['lstat']>) {
	const time = new Date(modifiedMs);
	return {
		...{ dev: device, ino: inode || node.id, mode, nlink: links, uid: 1000, gid: 1000, rdev: 0, size },
		...{ atime: time, mtime: time, ctime: time, blksize: 4096, blocks: Math.ceil(size / 512) }
	};
}
