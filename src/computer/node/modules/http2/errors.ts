import { type NodeError, nodeError } from '../../runtime/errors.ts';
import { causeWords } from './protocol/codes.ts';

/** Node's errors with one message each. */
const ERRORS = {
	ALTSVC_INVALID_ORIGIN: [TypeError, 'HTTP/2 ALTSVC frames require a valid origin'],
	ALTSVC_LENGTH: [TypeError, 'HTTP/2 ALTSVC frames are limited to 16382 bytes'],
	CONNECT_AUTHORITY: [Error, ':authority header is required for CONNECT requests'],
	CONNECT_PATH: [Error, 'The :path header is forbidden for CONNECT requests'],
	CONNECT_SCHEME: [Error, 'The :scheme header is forbidden for CONNECT requests'],
	GOAWAY_SESSION: [Error, 'New streams cannot be created after receiving a GOAWAY'],
	HEADERS_AFTER_RESPOND: [Error, 'Cannot specify additional headers after response initiated'],
	HEADERS_SENT: [Error, 'Response has already been initiated.'],
	INFO_STATUS_NOT_ALLOWED: [RangeError, 'Informational status codes cannot be used'],
	INVALID_ORIGIN: [TypeError, 'HTTP/2 ORIGIN frames require a valid origin'],
	INVALID_PACKED_SETTINGS_LENGTH: [RangeError, 'Packed settings length must be a multiple of six'],
	INVALID_SESSION: [Error, 'The session has been destroyed'],
	INVALID_STREAM: [Error, 'The stream has been destroyed'],
	MAX_PENDING_SETTINGS_ACK: [Error, 'Maximum number of pending settings acknowledgements'],
	NESTED_PUSH: [Error, 'A push stream cannot initiate another push stream.'],
	NO_SOCKET_MANIPULATION: [Error, 'HTTP/2 sockets should not be directly manipulated (e.g. read and written)'],
	ORIGIN_LENGTH: [TypeError, 'HTTP/2 ORIGIN frames are limited to 16382 bytes'],
	OUT_OF_STREAMS: [Error, 'No stream ID is available because maximum stream ID has been reached'],
	PING_CANCEL: [Error, 'HTTP2 ping cancelled'],
	PING_LENGTH: [RangeError, 'HTTP2 ping payload must be 8 bytes'],
	PSEUDOHEADER_NOT_ALLOWED: [TypeError, 'Cannot set HTTP/2 pseudo-headers'],
	PUSH_DISABLED: [Error, 'HTTP/2 client has disabled push streams'],
	SEND_FILE: [Error, 'Directories cannot be sent'],
	SEND_FILE_NOSEEK: [Error, 'Offset or length can only be specified for regular files'],
	SETTINGS_CANCEL: [Error, 'HTTP2 session settings canceled'],
	SOCKET_BOUND: [Error, 'The socket is already bound to an Http2Session'],
	SOCKET_UNBOUND: [Error, 'The socket has been disconnected from the Http2Session'],
	STATUS_101: [Error, 'HTTP status code 101 (Switching Protocols) is forbidden in HTTP/2'],
	STREAM_SELF_DEPENDENCY: [Error, 'A stream cannot depend on itself'],
	TOO_MANY_CUSTOM_SETTINGS: [Error, 'Number of custom settings exceeds MAX_ADDITIONAL_SETTINGS'],
	TRAILERS_ALREADY_SENT: [Error, 'Trailing headers have already been sent'],
	TRAILERS_NOT_READY: [Error, 'Trailing headers cannot be sent until after the wantTrailers event is emitted']
} as const;

/** Creates one of Node's errors, with the code `ERR_HTTP2_…`. */
export function http2Error(name: keyof typeof ERRORS): NodeError {
	const [Base, message] = ERRORS[name];
	return nodeError(Base, `ERR_HTTP2_${name}`, message);
}

export const singleValue = (name: string): NodeError =>
	nodeError(TypeError, 'ERR_HTTP2_HEADER_SINGLE_VALUE', `Header field "${name}" must only have a single value`);

export const connectionHeader = (name: string): NodeError => {
	const words = `HTTP/1 Connection specific headers are forbidden: "${name}"`;
	return nodeError(TypeError, 'ERR_HTTP2_INVALID_CONNECTION_HEADERS', words);
};

export const invalidHeaderValue = (value: unknown, name: string): NodeError =>
	nodeError(TypeError, 'ERR_HTTP2_INVALID_HEADER_VALUE', `Invalid value "${String(value)}" for header "${name}"`);

export const invalidInfoStatus = (status: unknown): NodeError =>
	nodeError(RangeError, 'ERR_HTTP2_INVALID_INFO_STATUS', `Invalid informational status code: ${String(status)}`);

export const invalidPseudoHeader = (name: string): NodeError => {
	const words = `"${name}" is an invalid pseudoheader or is used incorrectly`;
	return nodeError(TypeError, 'ERR_HTTP2_INVALID_PSEUDOHEADER', words);
};

export const invalidStatus = (status: unknown): NodeError =>
	nodeError(RangeError, 'ERR_HTTP2_STATUS_INVALID', `Invalid status code: ${String(status)}`);

export const invalidToken = (name: unknown): NodeError =>
	nodeError(TypeError, 'ERR_INVALID_HTTP_TOKEN', `Header name must be a valid HTTP token ["${String(name)}"]`);

/** @param range limits of a number */
export function invalidSetting(name: string, actual: unknown, range?: { min: number; max: number }): NodeError {
	const words = `Invalid value for setting "${name}": ${String(actual)}`;
	const error = nodeError(range ? RangeError : TypeError, 'ERR_HTTP2_INVALID_SETTING_VALUE', words);
	return Object.assign(error, { actual, ...range });
}

export const payloadForbidden = (status: number): NodeError =>
	nodeError(Error, 'ERR_HTTP2_PAYLOAD_FORBIDDEN', `Responses with ${status} status must not have a payload`);

export const sessionError = (code: number): NodeError =>
	nodeError(Error, 'ERR_HTTP2_SESSION_ERROR', `Session closed with error code ${code}`);

export const streamError = (code: number | string): NodeError =>
	nodeError(Error, 'ERR_HTTP2_STREAM_ERROR', `Stream closed with error code ${code}`);

export const tooManyOrigins = (most: number): NodeError =>
	nodeError(Error, 'ERR_HTTP2_TOO_MANY_ORIGINS', `HTTP/2 ORIGIN set exceeds the maximum of ${most} origins`);

export const unsupportedProtocol = (protocol: string): NodeError =>
	nodeError(Error, 'ERR_HTTP2_UNSUPPORTED_PROTOCOL', `protocol "${protocol}" is unsupported.`);

/** Error of a stream that ends with its session. */
export function streamCancel(cause?: Error | null): NodeError {
	const reason = typeof cause?.message === 'string' ? ` (caused by: ${cause.message})` : '';
	const error = nodeError(Error, 'ERR_HTTP2_STREAM_CANCEL', `The pending stream has been canceled${reason}`);
	return cause ? Object.assign(error, { cause }) : error;
}

/** Error of the protocol. @param code that of Node, for errors that are not the protocol's own */
export function protocolError(cause: number, code?: string): NodeError {
	const error: NodeError = new Error(code ? 'Too many invalid HTTP/2 frames' : causeWords(cause));
	error.code = code ?? 'ERR_HTTP2_ERROR';
	error.errno = cause;
	Object.defineProperty(error, 'toString', {
		value: () => `${error.name} [${error.code}]: ${error.message}`,
		configurable: true,
		writable: true
	});
	return error;
}

/** Error of `AbortSignal`s. */
export const abortError = (cause: unknown): NodeError =>
	Object.assign(new Error('The operation was aborted', { cause }), { name: 'AbortError', code: 'ABORT_ERR' });
