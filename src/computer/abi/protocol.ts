import type { Effects, OutputChunk, Rights, Signal, TerminalSize, TrialMerge } from '#environment/contract.ts';
import type { PortInfo, WireRequest, WireResponse } from './syscalls.ts';

/**
 * Messages between the page and the kernel, over one port per machine. Both sides parse what they receive
 * (`host/parse.ts` in the page, `kernel/port/requests.ts` in the kernel).
 */

/** Start message of the page to the kernel, along with the port of the first machine. */
export interface BootMessage {
	type: 'boot';
	/** Method to start workers here, as detected by the frame; `frame`: the frame creates them for the kernel. */
	scheme: 'blob' | 'data' | 'frame';
	programs: ProgramEntry[];
	/** Default `shared`. */
	memory?: Memory;
	/** Limit of all files. Default: that of an unknown device. */
	volumeBytes?: number;
	port: MessagePort;
	/** Port for checking whether the kernel is alive. Absent: no check. */
	witness?: MessagePort;
}

/**
 * Access of processes to the volume: memory shared with the kernel, or copies if the browser has no shared memory.
 */
export type Memory = 'shared' | 'snapshot';

export interface ProgramEntry {
	name: string;
	commands: string[];
	/**
	 * Spare workers: true: one always exists, so that it starts immediately; `after use`: from the first use on;
	 * `at start`: one is created with the computer and not replaced.
	 */
	hot: boolean | 'after use' | 'at start';
	/**
	 * Set if a worker may run several processes in sequence: the program itself runs no code of the user or the model.
	 */
	reusable?: boolean;
	/** Assets that its workers get before they start: compiled modules, and bytes, decompressed if they are gzipped. */
	prepare?: { modules: string[]; files: string[] };
}

/** Operations a page can request, with their arguments and results. */
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
	/**
	 * The same on a throwaway copy of the machine, where only hosts in `rights.network` can be reached. The copy stays
	 * until `endTrial`.
	 */
	startTrial: { args: [options: StartOptions, rights: Rights]; result: number };
	/** Effects and refusals of the command on trial, after it has ended. Ends all processes it has left running. */
	trialEffects: { args: [pid: number]; result: Effects };
	/** ENOENT if nothing exists there on that side. */
	readTrial: { args: [pid: number, path: string, side: 'before' | 'after']; result: Uint8Array };
	/** Applies the file changes of a trial and ends it. */
	applyTrial: { args: [pid: number]; result: TrialMerge };
	endTrial: { args: [pid: number]; result: null };
	write: { args: [pid: number, bytes: Uint8Array]; result: null };
	closeInput: { args: [pid: number]; result: null };
	/** Signals the process and everything it started. */
	kill: { args: [pid: number, signal: Signal]; result: null };
	resize: { args: [pid: number, size: TerminalSize]; result: null };
	/** Differences from the snapshot `known`, or from an empty one if `since` is `''`. Entries sorted by path. */
	snapshot: {
		args: [known: string];
		result: { id: string; since: string; entries: [path: string, mode: number, blob: string][]; removed: string[] };
	};
	/**
	 * Entries of one request; with `more`, another request with further entries follows; nothing is applied before the
	 * last one.
	 */
	restore: { args: [entries: [path: string, mode: number, blob: string][], more: boolean]; result: null };
	readBlob: { args: [blob: string]; result: Uint8Array };
	/** Stores blobs that a snapshot from elsewhere needs, before `restore`. */
	putBlobs: { args: [blobs: Uint8Array[]]; result: null };
	/** Drops blobs that no snapshot held by the page refers to. Blobs of current files stay. */
	forgetBlobs: { args: [blobs: string[]]; result: null };
	/** Resolves when the page has received all changes so far. */
	settled: { args: []; result: null };
	/** Connection to a port of the sandbox, as `host/loopback.ts` reads it. ECONNREFUSED if nothing listens. */
	connectLoopback: { args: [port: number]; result: MessagePort };
	/** Creates a second machine with these files, on the port that comes with the reply. */
	overlay: { args: []; result: MessagePort };
	/** Ends all processes of this machine. */
	endProcesses: { args: []; result: null };
	/** Ends all processes and drops the machine. */
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
	/** Added to the sandbox's own variables. */
	env: Record<string, string>;
	/** Complete standard input; `'open'`: sent later by `write`; absent: none. */
	stdin?: Uint8Array | 'open';
	/** Absent: all. */
	rights?: Rights;
	/** Same as in `ExecOptions`: first moves files that commands on trial left in `/tmp` into the machine itself. */
	takesTemporaryFiles?: boolean | undefined;
	/** Runs on a terminal instead of three streams. */
	terminal?: TerminalSize;
}

export type ToKernel =
	| { type: 'request'; id: number; operation: Operation; args: unknown[] }
	/** The page has consumed `bytes` of this output. */
	| { type: 'taken'; pid: number; stream: OutputChunk['stream']; bytes: number }
	| { type: 'changesTaken' }
	| { type: 'answer'; id: number; value: Uint8Array | string | WireResponse }
	| { type: 'refusal'; id: number; code: string; message: string };

export type ToPage =
	| { type: 'result'; id: number; value: unknown }
	/** First items of a long list in the result of the same id, sent ahead of it. */
	| { type: 'part'; id: number; list: string; items: unknown[] }
	| { type: 'failure'; id: number; code: string; message: string; path?: string }
	| { type: 'output'; pid: number; stream: OutputChunk['stream']; bytes: Uint8Array }
	/** The script has loaded: the time limit starts here. */
	| { type: 'started'; pid: number }
	| { type: 'ended'; pid: number; code: number }
	| { type: 'changes'; changes: WireChange[] }
	/** Listening ports of the sandbox, sent whenever they change. */
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

/** Questions the kernel asks the page. */
export type Question =
	| { kind: 'program'; name: string }
	| { kind: 'asset'; name: string }
	| { kind: 'fetch'; request: WireRequest }
	/** Request of a program to the preview, as JSON. */
	| { kind: 'preview'; request: string };
