import type { AsyncSyscalls, SyncSyscalls } from '#computer/abi/client.ts';
import type { ReplaceOptions, SignalName } from '#computer/abi/syscalls.ts';

/** Start parameters and calls of a program. */
export interface ProcessContext {
	pid: number;
	/** Pid of the process that started it; 1 if no process of the sandbox did. */
	parent: number;
	argv: string[];
	cwd: string;
	env: Record<string, string>;
	/** Permissions that its new files do not get, as of its start. */
	umask: number;
	/** Signals that it ignores unless it catches them, as requested by its parent. */
	ignored: readonly SignalName[];
	sync: SyncSyscalls;
	async: AsyncSyscalls;
	/**
	 * Cheap check of shared memory: true once a signal that would end this process is pending. For loops that never
	 * yield.
	 */
	interrupted(): boolean;
	/** Number of caught signals whose message has not been received yet: for loops that never yield. */
	pendingSignals(): number;
	/** Changes whenever anything in the volume changes: caches of stats and contents compare it. */
	generation(): number;
	/** Id of the process's volume, if a worker may see several. */
	volume?: number;
	/**
	 * Memory shared by all programs of a session, for results that one of them computes and others need too. Initially
	 * zeros.
	 */
	prepared?: SharedArrayBuffer | null;
	/**
	 * Receives signals requested with `catchSignal`. `newest` is the newest pid when the signal was sent: younger
	 * processes did not get it.
	 */
	onSignal(listener: (signal: SignalName, newest: number) => void): void;
	/** Message port to the parent, if it gave one. The messages are the two programs' own. */
	channel?: MessagePort | null;
	/** Numbers of the initial descriptors above 2. */
	descriptors?: readonly number[];
	/**
	 * Transfers a child's end of a message channel to the kernel.
	 * @returns its number, for the next `spawn` with `channel`
	 */
	offer?(port: MessagePort): number;
	/** Declares that nothing runs on when this program returns, so that its worker may run another process. */
	leavesNothing?(): void;
	/**
	 * Runs another program in place of this one.
	 *
	 * @param leavesNothing whether nothing of this program runs on, so that its worker may run another process
	 * @throws SyscallError if the program cannot be run; otherwise this program does not continue
	 */
	replace?(options: ReplaceOptions, leavesNothing: boolean): Promise<never>;
	/** Compiled once by the kernel and shared by all processes. */
	module(asset: string): Promise<WebAssembly.Module>;
}

/**
 * A program: everything its worker runs. Returns the exit code; an uncaught exception is printed on stderr and ends it
 * with 1.
 */
export type Program = (context: ProcessContext) => Promise<number>;
