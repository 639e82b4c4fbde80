import type { VolumeChange } from './volume-change.ts';
import type { DetachedStart } from './detached-start.ts';
import type { SignalName, SyscallName } from './syscalls.ts';

/**
 * Interface between a process and the kernel: a message port for requests, and shared memory for synchronous
 * calls and their replies. Both sides parse what they receive.
 *
 * Shared memory: {@link HEADER_BYTES} of 32-bit slots, then the request (`request-codec.ts`) or the reply. A
 * reply that is longer than the memory is sent in pieces: the process requests each.
 *
 * A request in the memory is announced with the message `call`, or through the doorbell while the kernel waits
 * for calls there (`kernel/calls/doorbell.ts`). Both sides spin on the memory for a moment before they sleep,
 * unless spinning was in vain recently, as on a busy machine (`look.ts`).
 */
export const HEADER_BYTES = 32;

export const Slot = {
	/** A value of {@link State}. */
	state: 0,
	/** Bytes of this piece, or of the request. */
	length: 1,
	/** A value of `ReplyKind`; for a request: 1 when it asks for the next piece. */
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
	/** The process waits for what it asked by message, or for a request that is being answered. */
	waiting: 0,
	/** A piece of the reply is there. */
	replied: 1,
	/** A request is there. */
	requested: 2
} as const;

export const ReplyKind = { nothing: 0, json: 1, bytes: 2, record: 3, error: 4, null: 5, stat: 6 } as const;

/** First message of the kernel to a new worker. */
export type StartMessage = ProcessStart & (SharedStart | { snapshot: DetachedStart });

/** Assets by name that a program's workers receive once they are available, before or after their start. */
export interface Prepared {
	modules: Record<string, WebAssembly.Module>;
	files: Record<string, Uint8Array>;
}

export type PrepareMessage = { type: 'prepare' } & ({ prepared: Prepared } | { failed: string });

interface ProcessStart {
	type: 'start';
	pid: number;
	/** Number of the process that has started it; 1 where that is none of the sandbox's. */
	parent: number;
	argv: string[];
	cwd: string;
	env: Record<string, string>;
	/** Permissions that its new files do not get. */
	umask: number;
	/** Signals that do not end it, as its parent wished. */
	ignored: readonly SignalName[];
	port: MessagePort;
	/** Channel to the parent, if it was given one. */
	channel: MessagePort | null;
	/** Numbers above 2 of the descriptors that it was given. */
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
	/** The descriptors, or the pid, that the process has already given to what the call makes. */
	as: number[];
}

/** A process to the kernel. */
export type ToKernel =
	/** The program's script is there and begins now. */
	| { kind: 'started' }
	/** The program has come to its end, which it says next, and has left nothing behind in its worker. */
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

/** The kernel to a process. */
export type ToProcess =
	| { kind: 'value'; id: number; value: unknown }
	| { kind: 'error'; id: number; code: string; message: string; path?: string }
	| { kind: 'signal'; name: SignalName; newest: number }
	/** In snapshot mode: changes of the volume by others, and the last log of this process before them. */
	| { kind: 'changes'; applied: number; changes: VolumeChange[] };
