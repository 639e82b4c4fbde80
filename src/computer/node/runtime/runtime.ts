import type { AsyncSyscalls, SyncSyscalls } from '#computer/abi/client.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import type { EventLoop } from './event-loop.ts';
import type { ThreadStart } from '../threads/messages.ts';
import type { NodeProcess } from './process.ts';
import type { Timers } from './timers.ts';

/** What the built-in modules are made from: one per program. */
export interface Runtime {
	readonly context: ProcessContext;
	readonly sys: SyncSyscalls;
	readonly async: AsyncSyscalls;
	readonly loop: EventLoop;
	readonly timers: Timers;
	readonly process: NodeProcess;
	/** What this program was started with, where it is a thread of another. */
	thread: ThreadStart | null;
	/** Absolute path of what a program named, joined with its working directory. */
	resolvePath(path: string): string;
	/** Nobody caught this: prints it as Node does and ends the program. */
	fatal(error: unknown): void;
}
