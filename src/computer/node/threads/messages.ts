/** What a thread is told before it begins, over the channel to its parent. */
export interface ThreadStart {
	threadId: number;
	workerData: unknown;
	/** The other end is the `Worker` object. */
	port: MessagePort;
	/** The program, or its text with `eval`. */
	file: string;
	code: string | null;
	argv: string[];
	execArgv: string[];
	/** The process that all threads are of. */
	pid: number;
	name: string;
	environmentData: Map<unknown, unknown>;
}

/** What a thread tells its parent. */
export type FromThread = { kind: 'online' } | { kind: 'error'; error: unknown };
