import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** How long and how much one outgoing request may take. */
export interface Limits {
	/** Until the answer's headers. */
	headersMs: number;
	/** Silence in the body. */
	idleMs: number;
	/** All of it, so that a slow drip ends. */
	totalMs: number;
	/** Of the decoded body. */
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
	/** Decoded (gzip, br, deflate) and limited; errors with a Refusal when a limit is passed. */
	body: Readable;
	/** The address that was asked. */
	url: URL;
}
