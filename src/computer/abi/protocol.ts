import type { Effects, OutputChunk, Rights, Signal, TerminalSize, TrialMerge } from '#environment/contract.ts';
import type { PortInfo, WireRequest, WireResponse } from './syscalls.ts';

/**
 * Between the page and the kernel, over one port a machine. Both sides parse what they get
 * (`page-messages.ts` in the page, `kernel/page/requests.ts` in the kernel).
 */

/** Start message of the page to the kernel, along with the port of the first machine. */
export interface BootMessage {
	type: 'boot';
	/** Way to start workers here, as detected by the frame; `frame`: it creates them for the kernel. */
	scheme: 'blob' | 'data' | 'frame';
	programs: ProgramEntry[];
	/** Default `shared`. */
	memory?: Memory;
	port: MessagePort;
	/** Port for checking whether the kernel is alive. Absent: it is not checked. */
	witness?: MessagePort;
}

/**
 * Access of processes to the volume: memory shared with the kernel, or copies because the browser has no shared
 * memory.
 */
export type Memory = 'shared' | 'snapshot';

export interface ProgramEntry {
	name: string;
	commands: string[];
	/**
	 * Spare workers: one always exists, so that it starts at once; `after use`: from its first use on; `at
	 * start`: one is created with the computer and not replaced.
	 */
	hot: boolean | 'after use' | 'at start';
	/**
	 * A worker of it may run several processes in sequence: it runs no code of the user's or the model's as its
	 * own.
	 */
	reusable?: boolean;
	/** Assets that its workers get before they start: compiled modules, and bytes, unpacked where gzip has packed them. */
	prepare?: { modules: string[]; files: string[] };
}

/** The operations a page can ask for, with their arguments and results. */
export interface Operations {
	ping: { args: []; result: null };
	readBytes: { args: [path: string]; result: Uint8Array };
	writeFile: { args: [path: string, bytes: Uint8Array]; result: null };
	stat: { args: [path: string]; result: WireFileStat };
	list: { args: [path: string, depth: number]; result: (WireFileStat & { path: string })[] };
	remove: { args: [path: string, recursive: boolean]; result: null };
	rename: { args: [from: string, to: string]; result: null };
	makeDirectory: { args: [path: string]; result: null };
	readLink: { args: [path: string]; result: string };
	symlink: { args: [target: string, path: string]; result: null };
	setMode: { args: [path: string, mode: number]; result: null };
	load: {
		args: [entries: { path: string; mode: number; bytes: Uint8Array }[], root: string, restored: boolean];
		result: null;
	};
	glob: { args: [pattern: string, path: string]; result: string[] };
	/** Resolves with the pid. Output, then its end, follow as events. */
	start: { args: [options: StartOptions]; result: number };
	/** The same on a throwaway copy of the machine, where only `rights.network` is reached. It stays until `endTrial`. */
	startTrial: { args: [options: StartOptions, rights: Rights]; result: number };
	/** Effects and refusals of the command on trial, after its end. Ends all processes it has left running. */
	trialEffects: { args: [pid: number]; result: Effects };
	/** ENOENT when nothing is there on that side. */
	readTrial: { args: [pid: number, path: string, side: 'before' | 'after']; result: Uint8Array };
	/** Takes the file changes of a trial over, and ends it. */
	applyTrial: { args: [pid: number]; result: TrialMerge };
	endTrial: { args: [pid: number]; result: null };
	write: { args: [pid: number, bytes: Uint8Array]; result: null };
	closeInput: { args: [pid: number]; result: null };
	/** The process and all it started. */
	kill: { args: [pid: number, signal: Signal]; result: null };
	resize: { args: [pid: number, size: TerminalSize]; result: null };
	/** Differences from the snapshot `known`, or from an empty one if `since` is `''`. Entries by path, sorted. */
	snapshot: {
		args: [known: string];
		result: { id: string; since: string; entries: [path: string, mode: number, blob: string][]; removed: string[] };
	};
	/** Entries of one request; with `more`, further ones follow in another request; nothing is applied before the last. */
	restore: { args: [entries: [path: string, mode: number, blob: string][], more: boolean]; result: null };
	readBlob: { args: [blob: string]; result: Uint8Array };
	/** Keeps blobs a snapshot from elsewhere needs, ahead of `restore`. */
	putBlobs: { args: [blobs: Uint8Array[]]; result: null };
	/** Lets blobs go that no snapshot in the page's hands names. Those of the files as they are stay. */
	forgetBlobs: { args: [blobs: string[]]; result: null };
	/** Resolves when the page has taken all changes so far. */
	settled: { args: []; result: null };
	/** A connection to a port of the sandbox, as `page/loopback.ts` reads it. ECONNREFUSED when nothing listens. */
	connectLoopback: { args: [port: number]; result: MessagePort };
	/** A second machine with these files, on the port that comes with the reply. */
	overlay: { args: []; result: MessagePort };
	/** Ends all processes of this machine. */
	endProcesses: { args: []; result: null };
	/** The same, and forgets the machine. */
	close: { args: []; result: null };
}

export type Operation = keyof Operations;

export interface WireFileStat {
	kind: 'file' | 'directory' | 'symlink';
	size: number;
	mode: number;
	modifiedMs: number;
}

export interface StartOptions {
	/** Command to run. Absent: an interactive shell. */
	argv?: string[];
	cwd: string;
	/** Added to the sandbox's own. */
	env: Record<string, string>;
	/** Whole standard input; `'open'` waits for `write`; absent: none. */
	stdin?: Uint8Array | 'open';
	/** Absent: all. */
	rights?: Rights;
	/** Same as in `ExecOptions`: files that commands on trial left in `/tmp` are moved into the machine's own first. */
	takesTemporaryFiles?: boolean | undefined;
	/** Runs on a terminal instead of three streams. */
	terminal?: TerminalSize;
}

export type ToKernel =
	| { type: 'request'; id: number; operation: Operation; args: unknown[] }
	/** The page has taken `bytes` of this output. */
	| { type: 'taken'; pid: number; stream: OutputChunk['stream']; bytes: number }
	| { type: 'changesTaken' }
	| { type: 'answer'; id: number; value: Uint8Array | string | WireResponse }
	| { type: 'refusal'; id: number; code: string; message: string };

export type ToPage =
	| { type: 'result'; id: number; value: unknown }
	/** The beginning of a long list in the result of the same id, ahead of it. */
	| { type: 'part'; id: number; list: string; items: unknown[] }
	| { type: 'failure'; id: number; code: string; message: string; path?: string }
	| { type: 'output'; pid: number; stream: OutputChunk['stream']; bytes: Uint8Array }
	/** Its script is loaded: its time limit starts here. */
	| { type: 'started'; pid: number }
	| { type: 'ended'; pid: number; code: number }
	| { type: 'changes'; changes: WireChange[] }
	/** The ports that listen in the sandbox, whenever they have changed. */
	| { type: 'ports'; ports: PortInfo[] }
	| { type: 'ask'; id: number; question: Question };

export interface WireChange {
	seq: number;
	path: string;
	kind: 'write' | 'remove' | 'rename' | 'mode' | 'symlink' | 'mkdir';
	mode: number;
	bytes?: Uint8Array;
	to?: string;
}

/** Questions of the kernel to the page. */
export type Question =
	| { kind: 'program'; name: string }
	| { kind: 'asset'; name: string }
	| { kind: 'fetch'; request: WireRequest }
	/** A request of a program to the preview, as JSON. */
	| { kind: 'preview'; request: string };
