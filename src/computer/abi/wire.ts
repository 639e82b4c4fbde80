import type { VolumeChange } from './volume-change.ts';
import type { DetachedStart } from './detached-start.ts';
import type { SignalName, SyscallName } from './syscalls.ts';

/**
 * Between a process and the kernel: a message port for requests, and a piece of shared memory for
 * synchronous calls and their replies. Both sides parse what they get.
 *
 * Shared memory: {@link HEADER_BYTES} of 32-bit slots, then the request (`request-codec.ts`) or the
 * reply. A reply that is longer than the memory comes in pieces: the process asks for each.
 *
 * A request that is put there is announced with the message `call`, or by ringing at the kernel's door while it stands
 * there and expects calls (`kernel/calls/doorbell.ts`). Both sides look at the memory for a moment before they sleep,
 * and where that is in vain, as on a busy machine, they do not (`look.ts`).
 */
export const HEADER_BYTES = 32;

export const Slot = {
	/** One of {@link State}. */
	state: 0,
	/** Bytes of this piece, or of the request. */
	length: 1,
	/** One of `ReplyKind`; of a request: 1 when it asks for the next piece. */
	kind: 2,
	/** Bytes of the whole reply. */
	total: 3,
	/** Signals sent that the process has not been told of. */
	pendingSignals: 4,
	/** 1 while the kernel stands at the door. */
	expected: 5,
	/** How many messages the process has posted; it may wrap around. */
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

/** What the kernel tells a fresh worker, once. */
export type StartMessage = ProcessStart & (SharedStart | { snapshot: DetachedStart });

/** What a program's workers get as soon as it is there, before or after their start: assets by name. */
export interface Prepared {
	modules: Record<string, WebAssembly.Module>;
	files: Record<string, Uint8Array>;
}

export type PrepareMessage = { type: 'prepare' } & ({ prepared: Prepared } | { failed: string });

interface ProcessStart {
	type: 'start';
	pid: number;
	argv: string[];
	cwd: string;
	env: Record<string, string>;
	port: MessagePort;
	/** To the parent, where it was given one. */
	channel: MessagePort | null;
	/** Numbers above 2 of the descriptors that it was given. */
	descriptors: readonly number[];
}

/** With shared memory, which is how it should be. */
export interface SharedStart {
	memory: SharedArrayBuffer;
	/** For all processes of a volume: a counter of its changes, then its number among the volumes of this kernel. */
	generation: SharedArrayBuffer;
	/** For all processes of the kernel: a counter of rings at its door. */
	bell: SharedArrayBuffer;
}

/** A call that was made where nobody could wait for its answer. */
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
	/** There is a request in the shared memory. */
	| { kind: 'call' }
	| { kind: 'async'; id: number; name: SyscallName; args: unknown[] }
	| { kind: 'module'; id: number; asset: string }
	/** A message port for a child that is spawned next. */
	| { kind: 'offer'; id: number; port: MessagePort }
	/** In snapshot mode: what the process has done since its last log. Versions count from 1. */
	| { kind: 'log'; version: number; calls: LoggedCall[] };

/** The kernel to a process. */
export type ToProcess =
	| { kind: 'value'; id: number; value: unknown }
	| { kind: 'error'; id: number; code: string; message: string; path?: string }
	| { kind: 'signal'; name: SignalName; newest: number }
	/** In snapshot mode: what others did to the volume, and the last log of this process that came before. */
	| { kind: 'changes'; applied: number; changes: VolumeChange[] };
