import type { FileSystemUsage } from './file-systems.ts';
import type { ExitStatus, SignalName } from './signals.ts';
import type { TerminalSettings } from './terminal-settings.ts';

/**
 * System calls of a process in the sandbox. A process is one worker; the kernel worker owns the volume, the
 * process table, the pipes and the terminals, and runs no user code.
 *
 * Each call can be made in two ways (see `client.ts`): synchronously, where the process sleeps in `Atomics.wait` until
 * the kernel has answered (Node, Python, WASI programs), or asynchronously (the shell, git). A call that has to wait
 * (`read` on an empty pipe, `waitPid`, `fetch`) is answered later; a kill cancels the wait.
 *
 * Arguments and results are JSON values, except that an argument or a whole result can be a `Uint8Array`. Paths are
 * absolute: already joined with the working directory. Failures throw `SyscallError` with a POSIX code.
 */
export interface Syscalls {
	// Files
	stat(path: string): WireStat;
	lstat(path: string): WireStat;
	/** `null` instead of ENOENT or ENOTDIR: module loaders probe many paths. */
	statOrNull(path: string): WireStat | null;
	readdir(path: string): WireDirent[];
	/** Reads the whole file, or `length` bytes from `position`. */
	readFile(path: string, position?: number, length?: number): Uint8Array;
	/**
	 * Writes many files in one step, for unpacking a tree: one call instead of thousands. Parents are created. `mode`
	 * is as in git; the content of a symbolic link is its target; contents are concatenated.
	 */
	load(root: string, files: { path: string; mode: number; size: number }[], contents: Uint8Array): void;
	/** Replaces the content in one step. Parents must exist. `mode` applies to new files. */
	writeFile(path: string, bytes: Uint8Array, options?: { mode?: number; exclusive?: boolean }): void;
	appendFile(path: string, bytes: Uint8Array, mode?: number): void;
	/** Writes into an existing file at `position`, growing it. */
	writeAt(path: string, bytes: Uint8Array, position: number): void;
	truncate(path: string, size: number): void;
	mkdir(path: string, options?: { recursive?: boolean; mode?: number }): void;
	rmdir(path: string): void;
	unlink(path: string): void;
	/** `force` ignores a missing path. */
	remove(path: string, options?: { recursive?: boolean; force?: boolean }): void;
	rename(from: string, to: string): void;
	copy(from: string, to: string, options?: { recursive?: boolean }): void;
	readlink(path: string): string;
	symlink(target: string, path: string): void;
	/** Creates a named pipe, through which `openFile` connects readers and writers. It is neither stored nor shared. */
	mkfifo(path: string, mode?: number): void;
	link(existing: string, path: string): void;
	realpath(path: string): string;
	chmod(path: string, mode: number): void;
	/** `follow` defaults to true; false sets the times of a symbolic link itself. */
	utimes(path: string, accessedMs: number, modifiedMs: number, follow?: boolean): void;
	/**
	 * Reads the first of these files by path, up to `maxBytes` in total, skipping links and missing files: for tools
	 * that read trees.
	 */
	readSmallFiles(paths: string[], maxBytes: number): Record<string, Uint8Array>;
	/**
	 * Paths that have changed since the volume was at `generation`; a directory stands for everything below it; `null`
	 * if there are too many.
	 */
	changedSince(generation: number): string[] | null;
	/** Every file below `path`, depth first, for tools that would otherwise walk: one call instead of thousands. */
	walk(path: string, options?: { skip?: string[]; skipDirectories?: string[] }): { path: string; stat: WireStat }[];
	/** File systems and their usage, outermost first. */
	fileSystems(): FileSystemUsage[];

	// Descriptors: 0, 1, 2 and those that `pipe` and `openFile` return. Each refers to a pipe end, a terminal, a file
	// or nothing.
	/**
	 * Opens a file as a descriptor, for redirections. `write` truncates it first; every mode except `read` creates it.
	 * @param position of the first read or write; 0 if absent
	 */
	openFile(path: string, mode: OpenMode, position?: number): number;
	/** Waits until the other end of a named pipe is open; returns immediately for any other descriptor. */
	opened(descriptor: number): void;
	/** Reads up to `max` bytes; waits while there are none; returns an empty array at the end. */
	read(descriptor: number, max: number): Uint8Array;
	/** Waits while the reader is behind (64 KiB). EPIPE if the reader is gone. */
	write(descriptor: number, bytes: Uint8Array): void;
	/**
	 * Waits until one of the descriptors can be read (or a connection accepted) or written without waiting, as
	 * requested for each, until a signal arrives that the process catches, or until the timeout.
	 * @returns the readiness of each
	 */
	poll(wishes: PollWish[], timeoutMs: number): Readiness[];
	/**
	 * Locks a range of a file that `openFile` has opened, or unlocks it, for programs that ask for locks as well. The
	 * lock belongs to the open file and ends with it. `test` only asks for an exclusive one. Never waits.
	 * @returns false if a lock of another open file excludes it
	 */
	lockRange(descriptor: number, start: number, length: number, mode: LockMode): boolean;
	close(descriptor: number): void;
	pipe(): { reader: number; writer: number };
	/** Opens both ends of a connection without a name: what is written to one is read from the other. */
	socketPair(): { here: number; there: number };

	// Sockets: a loopback inside the sandbox. `localhost`, `127.0.0.1`, `0.0.0.0`, `::` and `::1` are equivalent;
	// nothing leaves the sandbox. A socket is a descriptor: `read`, `write`, `close`. When a process ends, all its
	// sockets are closed.
	/** Listens on a port; 0 chooses a free one. EADDRINUSE, EADDRNOTAVAIL. */
	listen(host: string, port: number): { descriptor: number; port: number };
	/**
	 * Opens a listening socket at a new file, which remains when the socket is closed. An address that begins with a
	 * NUL is a name without a file and is freed with its last holder. EADDRINUSE if something exists there.
	 */
	listenAt(place: string): number;
	/** Waits for the next connection to a listening descriptor. ECONNABORTED if it is closed meanwhile. */
	accept(descriptor: number): SocketInfo;
	/** ECONNREFUSED if nothing listens there, ENETUNREACH for any other host. */
	connect(host: string, port: number): SocketInfo;
	/** Connects to a socket file or a name without a file. ENOENT, ECONNREFUSED if nothing listens there. */
	connectTo(place: string): number;
	/** Stops writing: the other side reads to the end or, if the connection is cut, fails with ECONNRESET. */
	shutdown(descriptor: number, isCut?: boolean): void;
	/** Lists the listening ports. */
	ports(): PortInfo[];
	/**
	 * Opens a socket of datagrams at an address of this machine; port 0 chooses a free one. EADDRINUSE unless all
	 * sockets at that address have `reuse`, EADDRNOTAVAIL.
	 * @param options.only6 takes no IPv4 at an IPv6 address that stands for any
	 */
	bindDatagrams(
		family: 4 | 6,
		address: string,
		port: number,
		options?: { reuse?: boolean; only6?: boolean }
	): { descriptor: number; port: number };
	/** Chooses the only other end; null: none any more. EINVAL for another family, ENETUNREACH for any other host. */
	connectDatagrams(descriptor: number, address: string | null, port: number): void;
	/**
	 * Sends a datagram; null: to the chosen other end. It is dropped if no one receives it or the receiver is behind.
	 * EMSGSIZE, EDESTADDRREQ, EACCES for a broadcast without its setting, ECONNREFUSED if the chosen other end has
	 * refused the one before.
	 */
	sendDatagram(descriptor: number, bytes: Uint8Array, address: string | null, port: number): void;
	/** Waits for the next datagram, which `unpackDatagram` reads. ECONNREFUSED as for `sendDatagram`. */
	receiveDatagram(descriptor: number): Uint8Array;
	/** EINVAL, EADDRINUSE, EADDRNOTAVAIL for groups. */
	datagramSettings(descriptor: number, settings: DatagramSettings): void;
	/**
	 * Hands a descriptor over to a process of the same session, which opens it with `takeOver`; the caller's own stays
	 * open. ESRCH, EPERM, EMFILE if too many wait for that process.
	 * @returns number that is valid in that process, once
	 */
	handOver(descriptor: number, pid: number): number;
	/** Opens what another process has handed over. EINVAL if nothing was. */
	takeOver(number: number): number;

	// Terminals
	isTerminal(descriptor: number): boolean;
	terminalSize(): { columns: number; rows: number };
	/**
	 * Raw: each key arrives, no echo, Ctrl-C is a byte. Cooked: as before this process changed anything, which is
	 * lines, echo and SIGINT at Ctrl-C, unless `stty` changed it. The mode is restored when the process ends.
	 */
	terminalMode(mode: 'raw' | 'cooked'): void;
	/**
	 * Changes individual settings of the terminal.
	 * @param lasts keeps them when this process ends (`stty`)
	 * @returns all settings after the change
	 */
	terminalSettings(change: Partial<TerminalSettings>, lasts?: boolean): TerminalSettings;
	/**
	 * Puts back the bytes last read from a pipe or a file, for the next reader. Ignored by a terminal.
	 * @throws EINVAL if they are more than a pipe can hold
	 */
	unread(descriptor: number, bytes: Uint8Array): void;
	/** Ends the terminal reads of this process that are waiting, with EINTR: further input is for other processes. */
	endReads(): void;
	/** Sets the process group that receives the terminal's Ctrl-C. */
	terminalForeground(group: number): void;

	// Processes
	spawn(options: SpawnOptions): number;
	/**
	 * Runs another program in place of the calling one, as `execve`: the process keeps its pid, parent, group, children
	 * and ignored signals, catches no signals, and has only the descriptors named here. It only returns if it failed.
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
	/** Ends the calling process. Everything it wrote before is kept. */
	exit(code: number): void;
	/**
	 * Ends the calling process for all processes that wait for it, while its remaining work continues as a separate
	 * process without a parent, in its own group: background work of a shell that ends.
	 * @param wanted the requested pid, used if it is free and above those the kernel assigns
	 * @returns its new pid
	 */
	leave(code: number, wanted?: number): number;
	/** Runs a command to its end and collects its output (`execSync`, `spawnSync`). */
	run(options: RunOptions): RunResult;
	/** Commands that are programs of the sandbox, for `which` and completion. */
	programs(): string[];

	// Outside world
	/**
	 * Sends one HTTP request through the page's egress ledger. ECONNREFUSED if it was not allowed. Requests for
	 * `localhost` and other loopback names go to the server in the sandbox that listens there, not to the page.
	 */
	fetch(request: WireRequest): WireResponse;
	/** Reads a file shipped with the product (a WASM module, a type library). */
	asset(name: string): Uint8Array;
	/**
	 * Sends one request of a test to the preview, in which the page displays a server of this computer. Both are JSON;
	 * the answer itself says whether the request succeeded. ENOSYS if nothing is displayed.
	 */
	preview(request: string): string;
	now(): number;
}

export type SyscallName = keyof Syscalls;

export type LockMode = 'shared' | 'exclusive' | 'none' | 'test';

export type OpenMode = 'read' | 'write' | 'append' | 'both';

export interface WireStat {
	kind: 'file' | 'directory' | 'symlink' | 'fifo' | 'socket';
	size: number;
	/** Mode including type bits. */
	mode: number;
	modifiedMs: number;
	/** Set when the file is created and by `utimes`: reading does not change it. */
	accessedMs: number;
	/** Last change of content, permissions, names or times. */
	changedMs: number;
	/** Device number of the file system. */
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
	/** `argv[0]` is looked up among the programs by its base name; a path to a script runs by its `#!` line. */
	argv: string[];
	cwd: string;
	/** The whole environment of the child. */
	env: Record<string, string>;
	/** The caller's descriptor for each, or nothing to read / nowhere to write. Absent: the caller's 0, 1, 2. */
	stdin?: number | 'null';
	stdout?: number | 'null';
	stderr?: number | 'null';
	/** Descriptors above 2 that the child gets: its number and the caller's. */
	descriptors?: [number, number][];
	/** Signals that the child ignores unless it catches them; signals its parent ignores are always included. */
	ignored?: SignalName[];
	/** `argv[0]` for the child, if different from the program that was looked up. */
	name?: string;
	/** Permissions that new files of the child do not get; absent: the value the caller started with. */
	umask?: number;
	/** 0: a new group; absent: the caller's. */
	group?: number;
	/** The child's end of a message channel, by the number from `ProcessContext.offer`. */
	channel?: number;
	/** Set if the process ends with its parent, like a thread. */
	thread?: boolean;
}

export type ReplaceOptions = Omit<SpawnOptions, 'group' | 'channel' | 'thread'>;

/** Standard output and error are collected unless they are named. */
export interface RunOptions extends SpawnOptions {
	input?: Uint8Array;
	timeoutMs?: number;
	/** Limit for each collected stream. */
	maxBytes?: number;
	/** Descriptors above 2 whose output is collected too. */
	collects?: number[];
}

export interface RunResult extends ExitStatus {
	stdout: Uint8Array;
	stderr: Uint8Array;
	timedOut: boolean;
	/** Output of the other collected descriptors, such as `output3`. */
	[output: `output${number}`]: Uint8Array;
}

export interface ProcessInfo {
	pid: number;
	parent: number;
	group: number;
	/** The first process of everything that one command of the page, or one terminal, has started. */
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

export interface DatagramSettings {
	/** May send to all of the network. */
	broadcast?: boolean;
	/** Datagrams to groups reach this machine too. */
	loopback?: boolean;
	/** Size of the queue of received datagrams. */
	receiveBytes?: number;
	/** Multicast group to join or to leave, for all senders or for one. */
	join?: string;
	leave?: string;
	source?: string;
}

export interface PollWish {
	descriptor: number;
	reads: boolean;
	writes: boolean;
}

/** Readiness of a descriptor: operations that would not wait. */
export interface Readiness {
	/** A read would return bytes, the end, or an error. */
	readable: boolean;
	/** Number of bytes that a write would accept. */
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
	/** Tool that sends the request, shown in the ledger: `fetch`, `curl`, `git`, `npm`. */
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
