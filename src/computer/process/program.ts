import type { AsyncSyscalls, SyncSyscalls } from '#computer/abi/client.ts';
import type { ReplaceOptions, SignalName } from '#computer/abi/syscalls.ts';

/** Start parameters and calls of a program. */
export interface ProcessContext {
	pid: number;
	/** Number of the process that has started it; 1 where that is none of the sandbox's. */
	parent: number;
	argv: string[];
	cwd: string;
	env: Record<string, string>;
	/** Permissions that its new files do not get, as it starts. */
	umask: number;
	/** Signals that do not end it unless it catches them, as its parent wished. */
	ignored: readonly SignalName[];
	sync: SyncSyscalls;
	async: AsyncSyscalls;
	/** A cheap look at shared memory: true once a signal that would end this process is pending. For loops that never yield. */
	interrupted(): boolean;
	/** Number of caught signals whose message this process has not received: for loops that never yield. */
	pendingSignals(): number;
	/** Changes whenever anything in the volume changed: caches of stats and contents compare it. */
	generation(): number;
	/** Id of the process's volume, if a worker may see several. */
	volume?: number;
	/** Memory that all programs of a session share, for what one of them prepares and others need too. It begins with zeros. */
	prepared?: SharedArrayBuffer | null;
	/** Signals asked for with `catchSignal`. `newest` is the last process there was when it was sent: younger ones did not get it. */
	onSignal(listener: (signal: SignalName, newest: number) => void): void;
	/** A message port to the parent, where it was given one. What goes over it is between the two programs. */
	channel?: MessagePort | null;
	/** Numbers above 2 of the descriptors that the parent has given it. */
	descriptors?: readonly number[];
	/** Hands the kernel a child's end of a message channel. @returns its number, for the next `spawn` with `channel` */
	offer?(port: MessagePort): number;
	/** Declares that nothing continues when this program returns, so that its worker may run another process. */
	leavesNothing?(): void;
	/**
	 * Runs another program in place of this one.
	 *
	 * @param leavesNothing whether nothing of this one continues, so that its worker may run another process
	 * @throws SyscallError if there is none to run; otherwise this program does not continue
	 */
	replace?(options: ReplaceOptions, leavesNothing: boolean): Promise<never>;
	/** Compiled once by the kernel and shared by all processes. */
	module(asset: string): Promise<WebAssembly.Module>;
}

/**
 * A program: the whole of a worker's work. Returns the exit code; an exception it lets out
 * is printed on stderr and ends it with 1.
 */
export type Program = (context: ProcessContext) => Promise<number>;
