import type { FileSystemUsage } from './file-systems.ts';
import type { ExitStatus, SignalName } from './signals.ts';
import type { TerminalSettings } from './terminal-settings.ts';

/**
 * System calls of a process in the sandbox. A process is one worker; the kernel worker owns the volume, the
 * process table, the pipes and the terminals, and runs no user code.
 *
 * Each call can be made in two ways (see `client.ts`): synchronously, where the process sleeps in
 * `Atomics.wait` until the kernel has answered (Node, Python, WASI programs), or asynchronously (the shell,
 * git). A call that has to wait for something (`read` on an empty pipe, `waitPid`, `fetch`) is answered later;
 * a kill ends the wait with the process.
 *
 * Arguments and results are JSON values, with `Uint8Array` allowed as an argument or a whole result. Paths are
 * absolute and already joined with the working directory. Failures throw `SyscallError` with a POSIX code.
 */
export interface Syscalls {
	// Files
	stat(path: string): WireStat;
	lstat(path: string): WireStat;
	/** `null` instead of ENOENT or ENOTDIR: loaders probe a lot. */
	statOrNull(path: string): WireStat | null;
	readdir(path: string): WireDirent[];
	/** The whole file, or `length` bytes from `position`. */
	readFile(path: string, position?: number, length?: number): Uint8Array;
	/**
	 * Writes many files in one step, for unpacking a tree: one call instead of thousands. Parents are created.
	 * `mode` is as in git, also for a link, whose content is its target; contents are concatenated.
	 */
	load(root: string, files: { path: string; mode: number; size: number }[], contents: Uint8Array): void;
	/** Replaces the content in one step. Parents must exist. `mode` is used for a new file. */
	writeFile(path: string, bytes: Uint8Array, options?: { mode?: number; exclusive?: boolean }): void;
	appendFile(path: string, bytes: Uint8Array, mode?: number): void;
	/** Writes into an existing file at `position`, growing it. */
	writeAt(path: string, bytes: Uint8Array, position: number): void;
	truncate(path: string, size: number): void;
	mkdir(path: string, options?: { recursive?: boolean; mode?: number }): void;
	rmdir(path: string): void;
	unlink(path: string): void;
	/** `force` makes a missing path no error. */
	remove(path: string, options?: { recursive?: boolean; force?: boolean }): void;
	rename(from: string, to: string): void;
	copy(from: string, to: string, options?: { recursive?: boolean }): void;
	readlink(path: string): string;
	symlink(target: string, path: string): void;
	/** Makes a named pipe, through which `openFile` connects readers and writers. It is neither stored nor shared. */
	mkfifo(path: string, mode?: number): void;
	link(existing: string, path: string): void;
	realpath(path: string): string;
	chmod(path: string, mode: number): void;
	/** `follow` is true unless given: the times of a symbolic link itself are its own. */
	utimes(path: string, accessedMs: number, modifiedMs: number, follow?: boolean): void;
	/** The first of these files by path, until they have `maxBytes` together, links and what is missing left out: for tools that read trees. */
	readSmallFiles(paths: string[], maxBytes: number): Record<string, Uint8Array>;
	/** The paths that have changed since the volume was at `generation`, directories for all below them; `null` when there are too many. */
	changedSince(generation: number): string[] | null;
	/** Every file below `path`, depth first, for tools that would otherwise walk: one call instead of thousands. */
	walk(path: string, options?: { skip?: string[]; skipDirectories?: string[] }): { path: string; stat: WireStat }[];
	/** The file systems and what of each is in use, the outermost first. */
	fileSystems(): FileSystemUsage[];

	// Descriptors: 0, 1, 2 and what `pipe` and `openFile` give. They name a pipe end, a terminal, a file or nothing.
	/** Opens a file as a descriptor, for redirections. `write` empties it first, all but `read` make it. */
	openFile(path: string, mode: OpenMode): number;
	/** Waits until a named pipe has the other end that it was opened for; any other descriptor has no need to wait. */
	opened(descriptor: number): void;
	/** Up to `max` bytes; waits while there are none; empty at the end. */
	read(descriptor: number, max: number): Uint8Array;
	/** Waits while the reader is behind (64 KiB). EPIPE if the reader is gone. */
	write(descriptor: number, bytes: Uint8Array): void;
	/**
	 * Waits until one of the descriptors can be read (a connection be accepted) or written to without waiting, as each
	 * wish wants it, until a signal arrives that the process catches, or until the time is over.
	 * @returns the readiness of each
	 */
	poll(wishes: PollWish[], timeoutMs: number): Readiness[];
	close(descriptor: number): void;
	pipe(): { reader: number; writer: number };

	// Sockets: a loopback of the sandbox's own. `localhost`, `127.0.0.1`, `0.0.0.0`, `::` and `::1` are one and the same;
	// nothing leaves. A socket is a descriptor: `read`, `write`, `close`. A process that ends closes all it holds.
	/** Opens a port; 0 takes a free one. EADDRINUSE, EADDRNOTAVAIL. */
	listen(host: string, port: number): { descriptor: number; port: number };
	/**
	 * Opens a socket at a new file, which keeps its name when it is closed. A place that begins with a NUL is a name
	 * without a file, free again with its last holder. EADDRINUSE where something is already.
	 */
	listenAt(place: string): number;
	/** Waits for the next connection to a descriptor that listens. ECONNABORTED when it is closed meanwhile. */
	accept(descriptor: number): SocketInfo;
	/** ECONNREFUSED when nothing listens there, ENETUNREACH for any other host. */
	connect(host: string, port: number): SocketInfo;
	/** Connects to a socket file or a name without a file. ENOENT, ECONNREFUSED when nothing listens there. */
	connectTo(place: string): number;
	/** Writes no more: the other side reads to the end, or, where the connection is cut, fails with ECONNRESET. */
	shutdown(descriptor: number, isCut?: boolean): void;
	/** The ports that listen. */
	ports(): PortInfo[];

	// Terminals
	isTerminal(descriptor: number): boolean;
	terminalSize(): { columns: number; rows: number };
	/**
	 * Raw: each key arrives, no echo, Ctrl-C is a byte. Cooked: as before this process changed anything, which is
	 * lines, echo and SIGINT at Ctrl-C, unless `stty` changed it. A process that ends restores it.
	 */
	terminalMode(mode: 'raw' | 'cooked'): void;
	/**
	 * Changes single settings of the terminal.
	 * @param lasts they stay when this process ends (`stty`)
	 * @returns all of them, after the change
	 */
	terminalSettings(change: Partial<TerminalSettings>, lasts?: boolean): TerminalSettings;
	/**
	 * Puts back bytes that were read last from a pipe or a file, for the next reader. A terminal does not take them.
	 * @throws EINVAL when they are more than a pipe can have
	 */
	unread(descriptor: number, bytes: Uint8Array): void;
	/** Ends the reads of this process that wait at its terminal, with EINTR: what is typed is for others now. */
	endReads(): void;
	/** Sets the process group that the terminal's Ctrl-C is sent to. */
	terminalForeground(group: number): void;

	// Processes
	spawn(options: SpawnOptions): number;
	/**
	 * Runs another program in place of the calling one, as `execve`: the process keeps its pid, its parent, its group and
	 * its children, ignores what it ignored, catches nothing, and has the descriptors named here only. An answer reports
	 * that it failed.
	 */
	replace(options: ReplaceOptions): void;
	/** Waits for a child. `pid` -1: any. */
	waitPid(pid: number): ExitStatus & { pid: number };
	/** A negative pid means the whole group. ESRCH if there is none. */
	kill(pid: number, signal: SignalName | 0): void;
	/**
	 * From now on this signal arrives as a message instead of ending the process. SIGKILL cannot be caught.
	 * `endsReads`: a read waiting at the terminal then fails with EINTR (`sigaction` without SA_RESTART).
	 */
	catchSignal(signal: SignalName, caught: boolean, endsReads?: boolean): void;
	processes(): ProcessInfo[];
	/** Ends the calling process. Everything written before is there. */
	exit(code: number): void;
	/**
	 * Ends the calling process for all who wait for it, while its remaining work continues as a separate process
	 * without a parent, in its own group: background work of a shell that ends.
	 * @param wanted the desired number, used if it is above those the kernel assigns and free
	 * @returns its new number
	 */
	leave(code: number, wanted?: number): number;
	/** Runs a command to its end and collects its output (`execSync`, `spawnSync`). */
	run(options: SpawnOptions & { input?: Uint8Array; timeoutMs?: number; maxBytes?: number }): RunResult;
	/** Commands that are programs of the sandbox, for `which` and completion. */
	programs(): string[];

	// Things outside
	/**
	 * Sends one HTTP request through the page's egress ledger. ECONNREFUSED if it was not allowed. Requests for
	 * `localhost` and other loopback names go to the server in the sandbox that listens there, not to the page.
	 */
	fetch(request: WireRequest): WireResponse;
	/** The bytes of a file shipped with the product (a WASM module, a type library). */
	asset(name: string): Uint8Array;
	/**
	 * Sends one request of a test to the preview, where the page displays a server of this computer. Both are JSON; the
	 * answer says of itself whether it worked. ENOSYS where nothing is displayed.
	 */
	preview(request: string): string;
	now(): number;
}

export type SyscallName = keyof Syscalls;

export type OpenMode = 'read' | 'write' | 'append' | 'both';

export interface WireStat {
	kind: 'file' | 'directory' | 'symlink' | 'fifo' | 'socket';
	size: number;
	/** Mode with type bits. */
	mode: number;
	modifiedMs: number;
	/** Set with the file and by `utimes`: reading does not change it. */
	accessedMs: number;
	/** Last change of content, permissions, names or times. */
	changedMs: number;
	/** Number of the file system. */
	device: number;
	inode: number;
	links: number;
}

export interface WireDirent {
	name: string;
	kind: WireStat['kind'];
}

export type { ExitStatus, SignalName };

export interface SpawnOptions {
	/** `argv[0]` is looked up among the programs by its last part; a path to a script runs by its `#!` line. */
	argv: string[];
	cwd: string;
	/** The whole environment of the child. */
	env: Record<string, string>;
	/** The caller's descriptor for each, or nothing to read / nowhere to write. Absent: the caller's own 0, 1, 2. */
	stdin?: number | 'null';
	stdout?: number | 'null';
	stderr?: number | 'null';
	/** Descriptors above 2 that the child gets: its number, and the caller's. */
	descriptors?: [number, number][];
	/** Signals that do not end the child, unless it catches them; those that its parent ignores are among them anyway. */
	ignored?: SignalName[];
	/** `argv[0]` for the child, if it differs from the program that was looked up. */
	name?: string;
	/** Permissions that new files of the child do not get; absent: those that the caller started with. */
	umask?: number;
	/** 0: a group of its own; absent: the caller's. */
	group?: number;
	/** The child's end of a message channel, as `ProcessContext.offer` has numbered it. */
	channel?: number;
	/** Ends with its parent, as a thread of it. */
	thread?: boolean;
}

export type ReplaceOptions = Omit<SpawnOptions, 'group' | 'channel' | 'thread'>;

export interface RunResult extends ExitStatus {
	stdout: Uint8Array;
	stderr: Uint8Array;
	timedOut: boolean;
}

export interface ProcessInfo {
	pid: number;
	parent: number;
	group: number;
	/** The first process of all that one command of the page, or one terminal, has started. */
	session: number;
	argv: string[];
	startedMs: number;
	/** Set while a signal has stopped it. */
	isStopped: boolean;
}

export interface SocketInfo {
	descriptor: number;
	localPort: number;
	remotePort: number;
}

export interface PollWish {
	descriptor: number;
	reads: boolean;
	writes: boolean;
}

/** Answers of a descriptor without waiting. */
export interface Readiness {
	/** Reads: bytes, the end, or an error. */
	readable: boolean;
	/** Takes so many bytes. */
	room: number;
}

export interface PortInfo {
	port: number;
	pid: number;
	/** Command line of the process. */
	command: string;
}

export interface WireRequest {
	method: string;
	url: string;
	headers: [string, string][];
	body: Uint8Array | null;
	/** Tool that sends the request, for the ledger: `fetch`, `curl`, `git`, `npm`. */
	purpose: string;
}

/** The body is base64 only on the synchronous path; see `client.ts`. */
export interface WireResponse {
	status: number;
	statusText: string;
	headers: [string, string][];
	url: string;
	body: Uint8Array;
}
