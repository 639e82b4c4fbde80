import type { LanguageService } from './language.ts';
import type { PreviewAnswerer, PreviewControl } from './preview.ts';

/**
 * Contract of the environment that tools run in. Every implementation passes the one suite in
 * `test/contract/environment.ts`.
 *
 * Paths are POSIX. A relative path means "below {@link ExecutionEnvironment.workingDirectory}"; a leading `~` means the
 * environment's home. A path that leaves the writable roots, by `..` or through a symbolic link, is refused with
 * `EACCES`.
 *
 * Every method rejects with {@link EnvironmentError} (see `errors.ts`) and nothing else.
 */
export interface ExecutionEnvironment {
	/** Starts everything that is needed. Idempotent. Rejects with code `EUNAVAILABLE` if it cannot. */
	initialize(): Promise<void>;
	/** Stops every process and frees everything. Idempotent; each later call rejects with `ECLOSED`. */
	cleanup(): Promise<void>;
	/** Absolute directory that relative paths start from: `/workspace` in the tab. */
	workingDirectory(): string;
	platform(): 'wasm' | 'linux' | 'darwin' | 'windows';
	/** Value for the prompt's environment block, e.g. `Sandglass kernel 0.1.0` or `Linux 6.1`. */
	osVersion(): string;
	/** Sentences that a model needs to know about this machine; absent for an ordinary one. */
	readonly description?: string | undefined;

	/** UTF-8 text. `offset` is the first line to return, 1-based; `limit` a number of lines. */
	readFile(path: string, range?: LineRange): Promise<string>;
	readBytes(path: string): Promise<Uint8Array>;
	/** Creates missing parents. Atomic: a reader sees the old bytes or the new, never a mixture. */
	writeFile(path: string, content: string | Uint8Array): Promise<void>;
	fileExists(path: string): Promise<boolean>;
	/** Does not follow a final symbolic link (as `lstat`). */
	stat(path: string): Promise<FileStat>;
	/** `depth` 1 lists the directory itself, 2 its subdirectories too, and so on. Sorted by path. */
	listDirectory(path: string, depth: number): Promise<DirEntry[]>;
	remove(path: string, options?: { recursive?: boolean }): Promise<void>;
	rename(from: string, to: string): Promise<void>;
	/** Creates a directory and its parents; succeeds if it already exists. */
	makeDirectory(path: string): Promise<void>;
	readLink(path: string): Promise<string>;
	symlink(target: string, path: string): Promise<void>;
	/** Permission bits only, e.g. `0o755`. */
	setMode(path: string, mode: number): Promise<void>;
	/**
	 * Loads an import in bulk: one transfer and one journal batch per batch of entries; parents are created. A symlink
	 * has mode `0o120000` and its target as bytes. An entry replaces an existing file or link: nothing is written through
	 * links.
	 *
	 * Everything is written below one directory, whatever the entries say. A path that is not relative or climbs out is
	 * refused with `EINVAL` (see `entry-path.ts`), one that leads through a symbolic link below that directory with
	 * `EACCES`; entries before it may have been written.
	 */
	load(entries: AsyncIterable<LoadEntry>, options?: LoadOptions): Promise<void>;
	/**
	 * The write journal: every change in order, regardless of its origin (tool, shell, editor, restore). Returns
	 * the unsubscriber.
	 */
	onChange(listener: (change: FileChange) => void): () => void;

	/**
	 * Runs one shell command until it ends. Never rejects because of a non-zero exit, a timeout or an abort; the result
	 * reports those.
	 */
	exec(command: string, options?: ExecOptions): Promise<ExecResult>;
	/** Starts a command in the background. */
	start(command: string, options?: ExecOptions): Promise<Process>;
	/**
	 * Runs a command on trial: it reads what it may read, its writes go to a temporary overlay, and it reaches no host
	 * and signals no process beyond `options.rights`. Nothing outside the trial changes before {@link Trial.apply}.
	 * Absent if the environment cannot do that; callers must then ask for permission first.
	 */
	readonly runOnTrial?: ((command: string, options?: ExecOptions) => Promise<Trial>) | undefined;
	/** An interactive shell on a terminal. */
	openTerminal(size: TerminalSize): Promise<Terminal>;

	/** ripgrep semantics; the text is `rg`'s own output. No match gives the empty string. */
	grep(pattern: string, path: string, options?: GrepOptions): Promise<string>;
	/** Files (not directories) below `path` that match, respecting ignore files, newest first, absolute. */
	glob(pattern: string, path: string): Promise<string[]>;

	/** Content-addressed state of the working directory; its cost depends on how much changed since the last one. */
	snapshot(): Promise<Snapshot>;
	/** Makes the working directory equal the snapshot, removing what is not in it. */
	restore(snapshot: Snapshot): Promise<void>;
	/** Content of a blob in a snapshot that this environment took. `ENOENT` if unknown. */
	readBlob(blob: string): Promise<Uint8Array>;
	/**
	 * Creates a copy-on-write view: writes and commands there do not touch this environment until {@link
	 * OverlayEnvironment.merge}.
	 *
	 * @param common last common state of both sides, when an earlier overlay is restored; default: the current state
	 */
	overlay(common?: Snapshot): Promise<OverlayEnvironment>;

	/**
	 * Ends every process and keeps the files, before another owner takes over the computer; absent if the running
	 * processes are unknown.
	 */
	readonly endProcesses?: (() => Promise<void>) | undefined;

	/** Servers of programs that run here, if the page can reach them; otherwise absent. */
	readonly loopback?: LocalServers | undefined;

	/** Displays documents and servers of the project; absent if the environment has no display. */
	readonly preview?: PreviewControl | undefined;

	/**
	 * Answers programs that test what the preview displays; absent if none can. Requests and answers are JSON, and
	 * requests are as untrusted as the programs. Returns a function that stops it.
	 */
	readonly servePreview?: ((answer: PreviewAnswerer) => () => void) | undefined;

	/** Reports what a file change broke; absent if nothing here can. */
	readonly diagnostics?: DiagnosticsService | undefined;

	/** Answers an editor's questions about code; absent if nothing here can. */
	readonly language?: LanguageService | undefined;
}

/** Checks files as a compiler does. Lives as long as its environment. */
export interface DiagnosticsService {
	/**
	 * Announces that these files may be changed soon: starts what their check needs and returns at once. Never throws.
	 */
	prepare(paths: readonly string[]): void;
	/**
	 * Returns the problems that these changes, already made, have introduced: in the changed files and in some
	 * that import them. Old problems on moved lines are not new. Never rejects.
	 *
	 * @param options.withinMs later answers are discarded: the list is then empty
	 */
	newProblems(changes: readonly FileEdit[], options: { withinMs: number }): Promise<NewProblems>;
}

/** One file before and after a change; `null` if it does not exist. */
export interface FileEdit {
	/** Absolute. */
	path: string;
	before: Uint8Array | null;
	after: Uint8Array | null;
}

export interface NewProblems {
	/** Problems, those in changed files first. */
	problems: Problem[];
	/** Reason why this project is no longer checked; reported once. */
	notice?: string;
}

export interface Problem {
	/** Absolute. */
	path: string;
	/** 1-based. */
	line: number;
	column: number;
	severity: 'error' | 'warning';
	/** E.g. `TS2322`; absent if the language has no codes. */
	code?: string | undefined;
	message: string;
}

/** Servers that listen inside an environment. No network is involved. */
export interface LocalServers {
	/** Ports that currently listen, lowest first. */
	readonly ports: readonly { port: number; pid: number; command: string }[];
	/** Called whenever a port opens or closes. Returns the unsubscriber. */
	onPorts(listener: () => void): () => void;
	/**
	 * Sends one HTTP request to a port; the response body streams, and leaving its loop early closes the connection.
	 * Redirects are not followed. Rejects with `ECONNREFUSED` if nothing listens.
	 */
	fetch(port: number, request: LocalRequest): Promise<LocalResponse>;
	/**
	 * Opens a WebSocket to a port. Rejects with `ECONNREFUSED` if nothing listens, with `EIO` if the server does not
	 * accept it.
	 */
	webSocket(port: number, request: WebSocketRequest): Promise<LocalWebSocket>;
}

export interface WebSocketRequest {
	/** Path and query. */
	target: string;
	/** Subprotocols to offer. */
	protocols: readonly string[];
	/** Headers in addition to those of the handshake, e.g. cookies. */
	headers: [name: string, value: string][];
	onMessage(message: string | Uint8Array): void;
	/** Called once, after the last message. */
	onEnd(end: WebSocketEnd): void;
}

export interface WebSocketEnd {
	/** Close code of RFC 6455, section 7.4: 1006 if the connection broke. */
	code: number;
	reason: string;
	isClean: boolean;
}

/** An open WebSocket. Nothing here throws: data that can no longer be sent is dropped, and `onEnd` reports why. */
export interface LocalWebSocket {
	/** Subprotocol that the server chose; empty if none. */
	readonly protocol: string;
	send(message: string | Uint8Array): void;
	close(code?: number, reason?: string): void;
}

export interface LocalRequest {
	method: string;
	/** Path and query. */
	target: string;
	headers: [name: string, value: string][];
	body: Uint8Array | null;
}

export interface LocalResponse {
	status: number;
	statusText: string;
	headers: [name: string, value: string][];
	body: AsyncIterable<Uint8Array>;
}

export interface LineRange {
	offset?: number;
	limit?: number;
}

export interface FileStat {
	kind: 'file' | 'directory' | 'symlink';
	/** Bytes. */
	size: number;
	/** Permission bits. */
	mode: number;
	modifiedMs: number;
}

export interface DirEntry extends FileStat {
	/** Relative to the listed directory, `/` between parts. */
	path: string;
}

export interface LoadOptions {
	/**
	 * Directory that entries are written to, absolute; default: the working directory. Never taken from imported data.
	 */
	root?: string | undefined;
	/**
	 * The entries are files from an earlier state of an environment, so names that only other platforms would
	 * misread are allowed.
	 */
	restored?: boolean | undefined;
}

export interface LoadEntry {
	/** Relative to the destination directory. */
	path: string;
	mode: number;
	bytes: Uint8Array;
}

export interface FileChange {
	/** 1, 2, 3 … without gaps for the life of the environment. */
	seq: number;
	/** Absolute. */
	path: string;
	kind: 'write' | 'remove' | 'rename' | 'mode' | 'symlink' | 'mkdir';
	/** Mode with type bits, as in git: `0o100644`, `0o100755`, `0o120000`, `0o40000`. */
	mode: number;
	/** Content after a write, or a symlink's target. */
	bytes?: Uint8Array;
	/** Target of a rename. */
	to?: string;
}

/** Entries are keyed by path relative to the working directory; empty directories have mode `0o40000` and blob `''`. */
export interface Snapshot {
	/** Hash over all entries: equal trees have equal ids. */
	id: string;
	entries: Map<string, { mode: number; blob: string }>;
}

/**
 * Rights of a process beyond reading, enforced by the environment for each system call. Children inherit them;
 * rights can only shrink.
 */
export interface Rights {
	/**
	 * Absolute paths of files or directories that may be changed, including everything below them; `all`: whatever the
	 * environment allows.
	 */
	write: 'all' | readonly string[];
	/** Hosts that may be reached, with the port if the address has one; `all`: whatever the environment allows. */
	network: 'all' | readonly string[];
	/** `own`: signals reach only processes that the command itself started. */
	signal: 'all' | 'own';
}

/** Every right that the environment can give: the default of {@link ExecOptions.rights}. */
export const ALL_RIGHTS: Rights = { write: 'all', network: 'all', signal: 'all' };

/** Rights to read only. */
export const READ_ONLY_RIGHTS: Rights = { write: [], network: [], signal: 'own' };

/** A command that ran on trial, before its effects are applied or discarded. */
export interface Trial {
	readonly result: ExecResult;
	readonly effects: Effects;
	/**
	 * Content of a changed file before or after the trial; `null` if it does not exist. Not available after apply
	 * or discard.
	 */
	read(path: string, side: 'before' | 'after'): Promise<Uint8Array | null>;
	/**
	 * Applies the file changes; no command runs again. A path that was changed differently outside since the trial
	 * started is a conflict: it is left as is and reported.
	 */
	apply(): Promise<TrialMerge>;
	/** Frees the overlay. Idempotent; `apply` does it as well. */
	discard(): Promise<void>;
}

export interface TrialMerge {
	/** Absolute paths, as in {@link Effects.files}. */
	merged: FileEffect[];
	conflicts: FileEffect[];
}

/** Effects of a command on its overlay, and what it was denied. All empty: no effects. */
export interface Effects {
	/**
	 * Sorted by path, without scratch files: caches are discarded, and so is `/tmp`, unless the environment keeps it.
	 * Later trials and `readBytes` then find those files, but other commands do only once one has run with {@link
	 * ExecOptions.takesTemporaryFiles}.
	 */
	files: FileEffect[];
	/** Hosts it tried to reach without permission, with the port if the address has one. */
	hosts: string[];
	/** Ports it still listened on when it ended, or when it was stopped because servers do not end. */
	servers: number[];
	/** Processes outside the trial it tried to signal. */
	signals: { pid: number; signal: string; command: string }[];
	/** Its own processes that still ran when the command ended. */
	leftRunning: string[];
	/** True if something was refused that the environment cannot name, e.g. by the operating system's sandbox. */
	unnamed: boolean;
}

export interface FileEffect {
	/** Absolute. */
	path: string;
	kind: 'added' | 'modified' | 'removed';
}

export interface ExecOptions {
	/** The command and everything it started are killed after this time. Default: no limit here (tools set one). */
	timeoutMs?: number;
	cwd?: string;
	/** Added to the environment's own variables. */
	env?: Record<string, string>;
	stdin?: string | Uint8Array;
	/** Default {@link ALL_RIGHTS}. Rejects with `EUNAVAILABLE` if the environment cannot enforce less than all. */
	rights?: Rights | undefined;
	/**
	 * Moves what commands on trial left in `/tmp` to where this command finds it, if the environment kept it (see {@link
	 * Effects.files}).
	 */
	takesTemporaryFiles?: boolean | undefined;
	/** Kills the command; the result then has `exitCode` 130 and the output so far. */
	signal?: AbortSignal;
	/**
	 * Characters of each stream to keep in the result; 0 for callers that get everything through `onOutput`. Default:
	 * what memory allows.
	 */
	maxOutputCharacters?: number;
	/**
	 * Called in order while the command runs; the same output is also in the result. An environment that can pause
	 * reading waits for the promise.
	 */
	onOutput?: (chunk: OutputChunk) => unknown;
}

export interface OutputChunk {
	stream: 'stdout' | 'stderr';
	/** Decoded with a streaming decoder: a character is never split. */
	data: string;
}

export interface ExecResult {
	stdout: string;
	stderr: string;
	/** 124 after a timeout, 130 after an abort, 128 + n after signal n. */
	exitCode: number;
	timedOut: boolean;
	durationMs: number;
}

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'SIGHUP';

export interface Process {
	pid: number;
	/**
	 * Writes to standard input. Rejects with `EPIPE` after the process has ended and, if the environment can detect it,
	 * when the process ends before it has read the data.
	 */
	write(data: string | Uint8Array): Promise<void>;
	/** Never rejects; returns at once for a process that has ended. */
	closeInput(): Promise<void>;
	/** Resolves when the process and its children have ended. */
	kill(signal?: Signal): Promise<void>;
	/** Never rejects. */
	exited: Promise<ExecResult>;
}

export interface TerminalSize {
	columns: number;
	rows: number;
}

export interface Terminal {
	/** Keystrokes, as a terminal sends them. */
	write(data: string): void;
	resize(size: TerminalSize): void;
	/**
	 * Terminal output with escape sequences. Output since the start is replayed to the first listener. A terminal that
	 * can pause reading waits for the promise. Returns the unsubscriber.
	 */
	onData(listener: (data: string) => unknown): () => void;
	/** Ends the shell and everything it started. */
	close(): Promise<void>;
	exited: Promise<number>;
}

export interface GrepOptions {
	caseInsensitive?: boolean;
	/** Treat the pattern as plain text. */
	literal?: boolean;
	/** Limits the search to files matching one of these globs. */
	globs?: string[];
	/** ripgrep's `--type`. */
	type?: string;
	/** `content` (default) prints lines with path and number; the others print like `rg -l` and `rg -c`. */
	output?: 'content' | 'files' | 'count';
	before?: number;
	after?: number;
	lineNumbers?: boolean;
	onlyMatching?: boolean;
	multiline?: boolean;
	/** Stops after this many lines of output. */
	maxLines?: number;
	signal?: AbortSignal;
}

export interface OverlayEnvironment extends ExecutionEnvironment {
	/** Last common state of both sides; after a merge it has its own id. */
	readonly common: Snapshot;
	/** Differences from the base. */
	changes(): Promise<OverlayChange[]>;
	/** Changes of paths that the base has changed differently. */
	conflicts(): Promise<OverlayChange[]>;
	/**
	 * Writes the differences back to the base. A path changed on both sides to different contents is a conflict: it stays
	 * as in the base and is reported, unless `overwrite` is set.
	 */
	merge(options?: MergeOptions): Promise<MergeResult>;
	/** Resets these paths to the base's current state, so that they no longer differ. */
	drop(paths: readonly string[]): Promise<void>;
}

export interface MergeOptions {
	/** Relative to the working directory; default: all that differ. */
	paths?: readonly string[];
	/** Replaces the base's version of conflicting paths. */
	overwrite?: boolean;
}

export interface OverlayChange {
	/** Relative to the working directory. */
	path: string;
	kind: 'added' | 'modified' | 'removed';
}

export interface MergeResult {
	merged: OverlayChange[];
	conflicts: OverlayChange[];
}
