import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** Time and size limits of one outbound request. */
export interface Limits {
	/** Time limit for the response headers. */
	headersMs: number;
	/** Maximum pause within the body. */
	idleMs: number;
	/** Maximum total time, which ends responses that trickle in slowly. */
	totalMs: number;
	/** Limit for the decoded body. */
	maxBytes: number;
}

export interface OutboundRequest {
	url: URL;
	method: string;
	/** Lower-case names. */
	headers: Record<string, string>;
	body?: Uint8Array | Readable;
	/** Aborts the connection. */
	signal: AbortSignal;
	limits: Limits;
}

export interface OutboundResponse {
	status: number;
	headers: IncomingHttpHeaders;
	/** Decoded (gzip, br, deflate) and limited; errors with a Refusal when a limit is exceeded. */
	body: Readable;
	/** The requested address. */
	url: URL;
}
