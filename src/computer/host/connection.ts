import type { Memory } from '#computer/abi/protocol.ts';

/** A running kernel, wherever it lives. */
export interface Connection {
	/** The page's end of the first machine's port. */
	port: MessagePort;
	/** Access of its processes to the volume. Default `shared`. */
	memory?: Memory;
	/** Resolves with a reason when the kernel is gone unexpectedly. */
	gone: Promise<string>;
	/** Frees the frame and all workers in it. */
	dispose(): void;
}

/** Starts a kernel. Rejects with `EnvironmentError` `EUNAVAILABLE`. */
export type Connect = () => Promise<Connection>;
