import type { SyncSyscalls } from '#computer/abi/client.ts';

/** Part of Emscripten's file system interface that a custom file system uses. */
export interface EmscriptenFs {
	ErrnoError: new (errno: number) => Error;
	createNode(parent: FsNode | null, name: string, mode: number, device: number): FsNode;
	destroyNode(node: FsNode): void;
	getStream(descriptor: number): FsStream | null | undefined;
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

/** Memory of the interpreter. */
export interface EmscriptenMemory {
	readonly HEAPU8: Uint8Array;
	/** Allocates bytes and returns their address; 0 if there is no memory. */
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
	/** The volume's generation when this node was last checked. */
	checked: number;
	/** Set while streams are open: the file's bytes. */
	content?: Content;
}

/** Bytes of an open file, as they are in the volume. */
export interface Content {
	/** May be longer than the file. */
	buffer: Uint8Array;
	size: number;
	streams: number;
	/** Generation of the volume for which these bytes are current. */
	generation: number;
	modifiedMs: number;
	/** Set when its last name was removed: from then on it only exists in memory. */
	unlinked: boolean;
	/** The kernel's descriptor that holds the locks of the process, since the first of them. */
	lock?: number;
}

export interface FsStream {
	node: FsNode;
	flags: number;
	position: number;
	pipe?: OpenPipe;
}

/** The kernel's descriptor of a named pipe, and the number of streams that share it. */
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
	/** Runs calls of the kernel, converting their errors to Emscripten's. */
	guarded<Value>(work: () => Value): Value;
	pathOf(node: FsNode): string;
	create(parent: FsNode | null, name: string, mode: number): FsNode;
}
