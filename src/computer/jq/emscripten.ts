/** Part of Emscripten's file system that jq's streams and the mounted volume use. */
export interface EmscriptenFs {
	ErrnoError: new (errno: number) => Error;
	createNode(parent: FsNode | null, name: string, mode: number, device: number): FsNode;
	mount(type: { mount(mount: { mountpoint: string }): FsNode }, options: object, mountpoint: string): void;
	mkdirTree(path: string): void;
	chdir(path: string): void;
	getStream(descriptor: number): FsStream | null;
	init(): void;
	makedev(major: number, minor: number): number;
	registerDevice(device: number, operations: object): void;
	unlink(path: string): void;
	mkdev(path: string, mode: number, device: number): void;
}

export interface FsNode {
	id: number;
	name: string;
	mode: number;
	parent: FsNode;
	mount: { mountpoint: string };
	node_ops: object;
	stream_ops: object;
}

export interface FsStream {
	node: FsNode;
	position: number;
	/** Set for terminals only. */
	tty?: object | undefined;
	stream_ops: object;
	/** Contents, read when the file is opened. */
	bytes?: Uint8Array;
}

/** Settings of the loader. */
export interface Settings {
	thisProgram: string;
	instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => unknown): object;
	/** Called before the program starts. */
	prepare(fs: EmscriptenFs, environment: Record<string, string>): void;
}
