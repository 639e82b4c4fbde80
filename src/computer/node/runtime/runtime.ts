import type { AsyncSyscalls, SyncSyscalls } from '#computer/abi/client.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import type { EventLoop } from './event-loop.ts';
import type { Broadcasts } from '../threads/broadcasts.ts';
import type { ThreadStart } from '../threads/messages.ts';
import type { SharedListening } from '../modules/net/shared-listening.ts';
import type { NodeProcess } from './process.ts';
import type { Timers } from './timers.ts';

/** Context of the built-in modules, one per program. */
export interface Runtime {
	readonly context: ProcessContext;
	readonly sys: SyncSyscalls;
	readonly async: AsyncSyscalls;
	readonly loop: EventLoop;
	readonly timers: Timers;
	readonly process: NodeProcess;
	readonly broadcasts: Broadcasts;
	/** Start data, if this program is a thread of another. */
	thread: ThreadStart | null;
	/** Set in a worker of a cluster: its servers listen on sockets that the primary shares. */
	sharedListening: SharedListening | null;
	/** Prepares text before the program evaluates it, so that its awaits keep the asynchronous context. */
	prepareText(code: string, mayAwait?: boolean): string;
	/** Resolves a path against the program's working directory. */
	resolvePath(path: string): string;
	/** Prints an uncaught error like Node and ends the program. */
	fatal(error: unknown): void;
}
