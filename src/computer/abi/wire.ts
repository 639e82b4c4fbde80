import type { VolumeChange } from './volume-change.ts';
import type { DetachedStart } from './detached-start.ts';
import type { SignalName, SyscallName } from './syscalls.ts';

/**
 * Interface between a process and the kernel: a message port for requests, and shared memory for synchronous
 * calls and their replies. Both sides parse what they receive.
 *
 * Shared memory: {@link HEADER_BYTES} of 32-bit slots, then the request (`request-codec.ts`) or the reply. A reply that
 * is longer than the memory is sent in pieces: the process requests each of them.
 *
 * A request in the memory is announced with the message `call`, or through the doorbell while the kernel waits for
 * calls there (`kernel/calls/doorbell.ts`). Both sides spin on the memory for a moment before they sleep, unless recent
 * spins were unsuccessful, as on a busy machine (`look.ts`).
 */
export const HEADER_BYTES = 32;

export const Slot = {
	/** A value of {@link State}. */
	state: 0,
	/** Bytes of this piece, or of the request. */
	length: 1,
	/** A value of `ReplyKind`; for a request: 1 if it asks for the next piece. */
	kind: 2,
	/** Bytes of the whole reply. */
	total: 3,
	/** Signals that the process has not been notified of. */
	pendingSignals: 4,
	/** 1 while the kernel waits for the doorbell. */
	expected: 5,
	/** Number of messages that the process has posted; it may wrap around. */
	posted: 6
} as const;

export const State = {
	/** The process waits for the answer to a message, or for a request that is being answered. */
	waiting: 0,
	/** The memory contains a piece of the reply. */
	replied: 1,
	/** The memory contains a request. */
	requested: 2
} as const;

export const ReplyKind = { nothing: 0, json: 1, bytes: 2, record: 3, error: 4, null: 5, stat: 6 } as const;

/** First message of the kernel to a new worker. */
export type StartMessage = ProcessStart & (SharedStart | { snapshot: DetachedStart });

/** Assets that a program's workers receive, by name, once they are available, before or after their start. */
export interface Prepared {
	modules: Record<string, WebAssembly.Module>;
	files: Record<string, Uint8Array>;
}

export type PrepareMessage = { type: 'prepare' } & ({ prepared: Prepared } | { failed: string });

interface ProcessStart {
	type: 'start';
	pid: number;
	/** Pid of the process that started it; 1 if no process of the sandbox did. */
	parent: number;
	argv: string[];
	cwd: string;
	env: Record<string, string>;
	/** Permissions that its new files do not get. */
	umask: number;
	/** Signals that it ignores from the start, as requested by its parent. */
	ignored: readonly SignalName[];
	port: MessagePort;
	/** Channel to the parent, if it has one. */
	channel: MessagePort | null;
	/** Numbers of its initial descriptors above 2. */
	descriptors: readonly number[];
}

/** Start data with shared memory, the usual case. */
export interface SharedStart {
	memory: SharedArrayBuffer;
	/**
	 * Shared by all processes of a volume: a counter of its changes, then its number among the volumes of this
	 * kernel.
	 */
	generation: SharedArrayBuffer;
	/** Shared by all processes of a session, for what one of them prepares for the others. */
	prepared: SharedArrayBuffer | null;
	/** Shared by all processes of the kernel: a counter of doorbell rings. */
	bell: SharedArrayBuffer;
}

/** A call made without waiting for its answer. */
export interface LoggedCall {
	name: SyscallName;
	args: unknown[];
	/** Descriptors, or the pid, that the process has already assigned to the results of the call. */
	as: number[];
}

/** Messages from a process to the kernel. */
export type ToKernel =
	/** The program's script has loaded and starts now. */
	| { kind: 'started' }
	/** The program has finished: its exit follows, and its worker has nothing left over. */
	| { kind: 'done' }
	/** A synchronous call that does not fit into the shared memory. */
	| { kind: 'sync'; name: SyscallName; args: unknown[] }
	/** The shared memory contains a request. */
	| { kind: 'call' }
	| { kind: 'async'; id: number; name: SyscallName; args: unknown[] }
	| { kind: 'module'; id: number; asset: string }
	/** A message port for a child that is spawned next. */
	| { kind: 'offer'; id: number; port: MessagePort }
	/** In snapshot mode: operations of the process since its last log. Versions count from 1. */
	| { kind: 'log'; version: number; calls: LoggedCall[] };

/** Messages from the kernel to a process. */
export type ToProcess =
	| { kind: 'value'; id: number; value: unknown }
	| { kind: 'error'; id: number; code: string; message: string; path?: string }
	| { kind: 'signal'; name: SignalName; newest: number }
	/** In snapshot mode: changes of the volume by others, and the last log of this process applied before them. */
	| { kind: 'changes'; applied: number; changes: VolumeChange[] };
