import type { HeaderField } from './header-table.ts';
import { MessageRules } from './message-rules.ts';

/** Phase of a stream: `opening` until its first response, `closing` after RST_STREAM was queued. */
export type Phase = 'idle' | 'reserved' | 'opening' | 'opened' | 'closing';

/** Kind of a received header block, with Node's numbers. */
export const CATEGORY = { REQUEST: 0, RESPONSE: 1, PUSH_RESPONSE: 2, HEADERS: 3 } as const;

const MAX_LIST_BYTES = 16_777_215;

/** Data that wait to be sent. */
export interface QueuedData {
	bytes: Uint8Array;
	/** Called once the last of them was written to the connection, or dropped. */
	done: (isSent: boolean) => void;
}

/** A stream of a connection, as both sides see it on the wire. */
export class StreamState {
	phase: Phase;
	/** False once it is closed on the wire. */
	isOpen = true;
	/** Set if the other side has ended its part. */
	isReadShut = false;
	/** Set if this side has ended its part. */
	isWriteShut = false;
	/** Set for a promised stream until its response. */
	isPush = false;
	/** Bytes that may be sent. */
	sendWindow: number;
	/** Size of the window of the other side. */
	localWindow: number;
	/** Received bytes that the window does not offer again. */
	receivedBytes = 0;
	/** Number of them that the program has taken. */
	consumedBytes = 0;
	hasQueuedUpdate = false;
	readonly rules: MessageRules;

	/** Set once the program is done with the stream. */
	isDestroyed = false;
	readonly queue: QueuedData[] = [];
	queuedBytes = 0;
	/** False once the program has ended its part. */
	isWritable = true;
	/** Set if trailers follow the data. */
	hasTrailers = false;
	/** Set once the head was sent, so that data can follow. */
	sendsData = false;
	isReading = false;
	/** Bytes that were passed to a program that is not reading. */
	unreadBytes = 0;
	/** Error code to close it with, while the output is being written. */
	pendingCode: number | null = null;
	fields: HeaderField[] = [];
	fieldBytes = 0;
	/** Size of a received header list. */
	maxFieldBytes = MAX_LIST_BYTES;
	category: number = CATEGORY.HEADERS;
	/** The program's object for it. */
	owner: unknown = null;

	constructor(
		readonly id: number,
		phase: Phase,
		windows: { send: number; local: number }
	) {
		this.phase = phase;
		this.sendWindow = windows.send;
		this.localWindow = windows.local;
		this.rules = new MessageRules(id % 2 === 0);
	}
}
