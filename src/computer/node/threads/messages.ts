import type { MailOfPorts } from './port-mail.ts';

/** First message to a thread, over the channel to its parent. */
export interface ThreadStart {
	threadId: number;
	workerData: unknown;
	/** The other end is the `Worker` object. */
	port: MessagePort;
	/** Link to the parent for the messages of a `BroadcastChannel`. */
	broadcasts: MessagePort;
	/** The program, or its text with `eval`. */
	file: string;
	code: string | null;
	argv: string[];
	execArgv: string[];
	/** Process to which all threads belong. */
	pid: number;
	name: string;
	environmentData: Map<unknown, unknown>;
	/** Memory of the ports in `workerData`. */
	mail: MailOfPorts;
}

/** Messages from a thread to its parent. */
export type FromThread = { kind: 'online' } | { kind: 'error'; error: unknown };
