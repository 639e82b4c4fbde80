import type { PyodideInterface } from 'pyodide';
import { SyscallError } from '#computer/abi/client.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { errnoOf } from './errno.ts';
import { connectLocks } from './locks.ts';
import { nodeOperations } from './nodes.ts';
import { streamOperations } from './streams.ts';
import { type EmscriptenFs, type EmscriptenMemory, type FsNode, isPipe, type Volume } from './types.ts';

/** Directories of the volume that are visible to Python. The rest of its file system is private, in memory. */
const SHARED = ['/workspace', '/home', '/tmp', '/dev/shm', '/etc', '/usr', '/var'];

/** Mounts the volume in the interpreter's file system. Every write is in the volume when its call returns. */
export function mountVolume(python: PyodideInterface, context: ProcessContext): void {
	const fs = python.FS as unknown as EmscriptenFs;
	const volume: Volume = {
		fs,
		memory: (python as unknown as { _module: EmscriptenMemory })._module,
		sync: context.sync,
		generation: context.generation,
		guarded(work) {
			try {
				return work();
			} catch (error) {
				throw new fs.ErrnoError(errnoOf(python, error));
			}
		},
		pathOf(node) {
			const names: string[] = [];
			for (; node.parent !== node; node = node.parent) names.unshift(node.name);
			return [node.mount.mountpoint, ...names].join('/');
		},
		create(parent, name, mode) {
			const node: FsNode = fs.createNode(parent, name, mode, 0);
			node.node_ops = nodes;
			node.stream_ops = streams;
			node.checked = context.generation();
			return node;
		}
	};
	const nodes = nodeOperations(volume);
	const streams = streamOperations(volume);
	connectLocks(volume, context, nodes);
	const type = {
		mount: (mount: { mountpoint: string }) =>
			volume.create(null, '/', volume.guarded(() => context.sync.stat(mount.mountpoint)).mode)
	};
	// The current directory cannot be removed.
	fs.chdir('/');
	for (const directory of SHARED) {
		if (!context.sync.statOrNull(directory)) continue;
		emptyMemory(fs, directory);
		fs.mount(type, {}, directory);
	}
	lookAgain(volume, nodes);
	const truncate = fs.truncate.bind(fs);
	// `open` with `w` truncates an existing file, and a named pipe cannot be truncated.
	fs.truncate = (path, size) => {
		if (typeof path === 'string' || !isPipe(path)) truncate(path, size);
	};
}

/** Files that the interpreter created there would conflict with the mount. */
function emptyMemory(fs: EmscriptenFs, directory: string): void {
	fs.mkdirTree(directory);
	for (const name of fs.readdir(directory)) {
		if (name === '.' || name === '..') continue;
		emptyMemory(fs, `${directory}/${name}`);
		fs.rmdir(`${directory}/${name}`);
	}
}

/**
 * Emscripten caches the nodes it has found. After any change of the volume, a node is checked before it is used, and
 * dropped if its file is gone or has been replaced.
 */
function lookAgain({ fs, sync, generation, pathOf }: Volume, own: object): void {
	const lookup = fs.lookupNode.bind(fs);
	fs.lookupNode = (parent, name) => {
		const node = lookup(parent, name);
		if (node.node_ops !== own || node.parent === node || node.checked === generation()) return node;
		node.checked = generation();
		const found = lstatOrNull(sync, pathOf(node));
		if (found && (found.mode & 0o170_000) === (node.mode & 0o170_000)) return node;
		fs.destroyNode(node);
		return lookup(parent, name);
	};
}

function lstatOrNull(sync: Volume['sync'], path: string) {
	try {
		return sync.lstat(path);
	} catch (error) {
		if (error instanceof SyscallError && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
		throw error;
	}
}
