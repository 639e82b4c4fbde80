import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** Time and size limits of one outbound request. */
export interface Limits {
	/** Until the response headers. */
	headersMs: number;
	/** Longest pause within the body. */
	idleMs: number;
	/** Total time, which ends slow drips. */
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
