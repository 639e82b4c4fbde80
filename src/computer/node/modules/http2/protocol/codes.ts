/** Types of frames, RFC 9113, section 6, and those of ALTSVC (RFC 7838) and ORIGIN (RFC 8336). */
export const FRAME = {
	DATA: 0,
	HEADERS: 1,
	PRIORITY: 2,
	RST_STREAM: 3,
	SETTINGS: 4,
	PUSH_PROMISE: 5,
	PING: 6,
	GOAWAY: 7,
	WINDOW_UPDATE: 8,
	CONTINUATION: 9,
	ALTSVC: 10,
	ORIGIN: 12
} as const;

/** Flags of frames. */
export const FLAG = { END_STREAM: 1, END_HEADERS: 4, ACK: 1, PADDED: 8, PRIORITY: 32 } as const;

/** Identifiers of settings. */
export const SETTING = {
	HEADER_TABLE_SIZE: 1,
	ENABLE_PUSH: 2,
	MAX_CONCURRENT_STREAMS: 3,
	INITIAL_WINDOW_SIZE: 4,
	MAX_FRAME_SIZE: 5,
	MAX_HEADER_LIST_SIZE: 6,
	ENABLE_CONNECT_PROTOCOL: 8
} as const;

/** Error codes of RST_STREAM and GOAWAY, RFC 9113, section 7. */
export const ERROR = {
	NO_ERROR: 0,
	PROTOCOL_ERROR: 1,
	INTERNAL_ERROR: 2,
	FLOW_CONTROL_ERROR: 3,
	SETTINGS_TIMEOUT: 4,
	STREAM_CLOSED: 5,
	FRAME_SIZE_ERROR: 6,
	REFUSED_STREAM: 7,
	CANCEL: 8,
	COMPRESSION_ERROR: 9,
	CONNECT_ERROR: 10,
	ENHANCE_YOUR_CALM: 11,
	INADEQUATE_SECURITY: 12,
	HTTP_1_1_REQUIRED: 13
} as const;

/** Name of an error code, as in Node's messages; undefined for one that is not registered. */
export function errorName(code: number): string | undefined {
	const name = Object.entries(ERROR).find(([, value]) => value === code)?.[0];
	return name && `NGHTTP2_${name}`;
}

/** Causes of failures, with the numbers of nghttp2, which programs see as `errno`. */
export const CAUSE = {
	INVALID_ARGUMENT: -501,
	PROTO: -505,
	STREAM_ID_NOT_AVAILABLE: -509,
	STREAM_CLOSED: -510,
	STREAM_CLOSING: -511,
	STREAM_SHUT_WR: -512,
	INVALID_STREAM_STATE: -514,
	START_STREAM_NOT_ALLOWED: -516,
	FRAME_SIZE_ERROR: -522,
	HEADER_COMP: -523,
	FLOW_CONTROL: -524,
	PUSH_DISABLED: -528,
	DATA_EXIST: -529,
	SESSION_CLOSING: -530,
	HTTP_HEADER: -531,
	HTTP_MESSAGING: -532,
	REFUSED_STREAM: -533,
	TOO_MANY_SETTINGS: -537,
	CALLBACK_FAILURE: -902,
	BAD_CLIENT_MAGIC: -903,
	FLOODED: -904,
	TOO_MANY_CONTINUATIONS: -905
} as const;

const WORDS: Record<number, string> = {
	[CAUSE.INVALID_ARGUMENT]: 'Invalid argument',
	[CAUSE.PROTO]: 'Protocol error',
	[CAUSE.STREAM_ID_NOT_AVAILABLE]: 'No more Stream ID available',
	[CAUSE.STREAM_CLOSED]: 'Stream was already closed or invalid',
	[CAUSE.STREAM_CLOSING]: 'Stream is closing',
	[CAUSE.STREAM_SHUT_WR]: 'The transmission is not allowed for this stream',
	[CAUSE.INVALID_STREAM_STATE]: 'Invalid stream state',
	[CAUSE.START_STREAM_NOT_ALLOWED]: 'request HEADERS is not allowed',
	[CAUSE.FRAME_SIZE_ERROR]: 'The length of the frame is invalid',
	[CAUSE.HEADER_COMP]: 'Header compression/decompression error',
	[CAUSE.FLOW_CONTROL]: 'Flow control error',
	[CAUSE.PUSH_DISABLED]: 'Server push is disabled by peer',
	[CAUSE.DATA_EXIST]: 'DATA or HEADERS frame has already been submitted for the stream',
	[CAUSE.SESSION_CLOSING]: 'The current session is closing',
	[CAUSE.HTTP_HEADER]: 'Invalid HTTP header field was received',
	[CAUSE.HTTP_MESSAGING]: 'Violation in HTTP messaging rule',
	[CAUSE.REFUSED_STREAM]: 'Stream was refused',
	[CAUSE.TOO_MANY_SETTINGS]: 'SETTINGS frame contained more than the maximum allowed entries',
	[CAUSE.CALLBACK_FAILURE]: 'The user callback function failed',
	[CAUSE.BAD_CLIENT_MAGIC]: 'Received bad client magic byte string',
	[CAUSE.FLOODED]: 'Flooding was detected in this HTTP/2 session, and it must be closed',
	[CAUSE.TOO_MANY_CONTINUATIONS]: 'Too many CONTINUATION frames following a HEADER frame'
};

/** Message of a failure. */
export const causeWords = (cause: number): string => WORDS[cause] ?? 'Unknown error code';

/** Failures whose cause is fatal end the connection at once. */
export const isFatal = (cause: number): boolean => cause < -900;

/** Error code for the other side, by the cause of a failure. */
export function codeOfCause(cause: number): number {
	switch (cause) {
		case CAUSE.STREAM_CLOSED:
			return ERROR.STREAM_CLOSED;
		case CAUSE.HEADER_COMP:
			return ERROR.COMPRESSION_ERROR;
		case CAUSE.FRAME_SIZE_ERROR:
			return ERROR.FRAME_SIZE_ERROR;
		case CAUSE.FLOW_CONTROL:
			return ERROR.FLOW_CONTROL_ERROR;
		case CAUSE.REFUSED_STREAM:
			return ERROR.REFUSED_STREAM;
		case CAUSE.PROTO:
		case CAUSE.HTTP_HEADER:
		case CAUSE.HTTP_MESSAGING:
			return ERROR.PROTOCOL_ERROR;
		default:
			return ERROR.INTERNAL_ERROR;
	}
}
