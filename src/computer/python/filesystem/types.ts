import type { SyncSyscalls } from '#computer/abi/client.ts';

/** Parts of Emscripten's file system that a custom file system uses. */
export interface EmscriptenFs {
	ErrnoError: new (errno: number) => Error;
	createNode(parent: FsNode | null, name: string, mode: number, device: number): FsNode;
	destroyNode(node: FsNode): void;
	lookupNode(parent: FsNode, name: string): FsNode;
	mount(type: object, options: object, mountpoint: string): void;
	mkdirTree(path: string): void;
	chdir(path: string): void;
	readdir(path: string): string[];
	rmdir(path: string): void;
	isDir(mode: number): boolean;
	isFile(mode: number): boolean;
	truncate(path: string | FsNode, size: number): void;
}

/** The interpreter's memory. */
export interface EmscriptenMemory {
	readonly HEAPU8: Uint8Array;
	/** Address of so many new bytes; 0 where there are none. */
	_malloc(size: number): number;
}

export const isPipe = ({ mode }: FsNode): boolean => (mode & 0o170_000) === 0o010_000;

export interface FsNode {
	id: number;
	name: string;
	mode: number;
	parent: FsNode;
	mount: { mountpoint: string };
	node_ops: object;
	stream_ops: object;
	/** The volume's generation when this node was last seen there. */
	checked: number;
	/** While streams are open: the file's bytes. */
	content?: Content;
}

/** The bytes of an open file, as they are in the volume. */
export interface Content {
	/** May be longer than the file. */
	buffer: Uint8Array;
	size: number;
	streams: number;
	/** State of the volume that these bytes are of. */
	generation: number;
	modifiedMs: number;
	/** Its last name is removed: from here on it exists in memory. */
	unlinked: boolean;
}

export interface FsStream {
	node: FsNode;
	flags: number;
	position: number;
	pipe?: OpenPipe;
}

/** The kernel's descriptor of a named pipe, and how many streams share it. */
export interface OpenPipe {
	descriptor: number;
	streams: number;
}

/** Context of the operations. */
export interface Volume {
	fs: EmscriptenFs;
	memory: EmscriptenMemory;
	sync: SyncSyscalls;
	generation(): number;
	/** Runs calls of the kernel, their errors turned into Emscripten's. */
	guarded<Value>(work: () => Value): Value;
	pathOf(node: FsNode): string;
	create(parent: FsNode | null, name: string, mode: number): FsNode;
}
