import { functionValue } from '../../runtime/validate.ts';
import { invalidValue } from '../../runtime/errors.ts';
import { Socket } from '../net/socket.ts';
import { http2Error, invalidInfoStatus, invalidStatus, payloadForbidden, protocolError } from './errors.ts';
import {
	checkFileOptions,
	descriptorOf,
	type FileOptions,
	FileResponse,
	type FileStream,
	type FileSystem
} from './file-response.ts';
import {
	authorityOf,
	fieldsOf,
	type HeaderList,
	type Headers,
	requestPseudo,
	responsePseudo,
	sensitiveHeaders
} from './header-lists.ts';
import { CAUSE } from './protocol/codes.ts';
import type { StreamState } from './protocol/stream-state.ts';
import { objectOrNone } from './session-settings.ts';
import { Http2Stream, type StreamSession } from './stream.ts';

export interface RespondOptions {
	endStream?: boolean;
	waitForTrailers?: boolean;
	sendDate?: boolean;
}

export type PushListener = (error: Error | null, stream?: ServerHttp2Stream, headers?: Headers, flags?: number) => void;

/** Statuses of responses without a body. */
const BODYLESS = new Set([204, 205, 304]);

/** Session of a stream that may promise others. */
interface ServerSession extends StreamSession {
	readonly remoteSettings: Record<string, unknown>;
}

/** `ServerHttp2Stream`: a request on a server. */
export class ServerHttp2Stream extends Http2Stream implements FileStream {
	static fs: FileSystem;

	_scheme: unknown;
	_authority: unknown;

	constructor(session: StreamSession, state: StreamState, headers: Headers) {
		super(session);
		this._init(state);
		this._scheme = headers[':scheme'];
		this._authority = authorityOf(headers);
	}

	get pushAllowed(): boolean {
		const session = this._session as ServerSession | undefined;
		if (this.destroyed || this.closed || !session || session.closed || session.destroyed) return false;
		return session.remoteSettings['enablePush'] === true;
	}

	/** Promises a stream, as the response to a request that the client would send. */
	pushStream(headers: unknown, given: unknown, listener?: unknown): void {
		if (!this.pushAllowed) throw http2Error('PUSH_DISABLED');
		if ((this._id ?? 0) % 2 === 0) throw http2Error('NESTED_PUSH');
		this._refreshIdle();
		const called = typeof given === 'function' ? given : listener;
		functionValue(called, 'callback');
		const options = typeof given === 'function' ? undefined : given;
		objectOrNone(options, 'options');
		objectOrNone(headers, 'headers');
		this._push(this._promised(headers), options as RespondOptions | undefined, called as PushListener);
	}

	_promised(headers: unknown): Headers {
		const promised = Object.assign(Object.create(null), headers) as Headers;
		promised[':method'] ??= 'GET';
		if (authorityOf(promised) === undefined) promised[':authority'] = this._authority;
		promised[':scheme'] ??= this._scheme;
		promised[':path'] ??= '/';
		return promised;
	}

	_push(headers: Headers, options: RespondOptions | undefined, listener: PushListener): void {
		const { _session: session, _state: parent } = this;
		const { loop } = Socket.runtime;
		const isHead = headers[':method'] === 'HEAD';
		const isEmpty = isHead || Boolean(options?.endStream);
		const fields = fieldsOf(headers, requestPseudo);
		if (!session?._connection || !parent) return;
		const state = session._connection.promise(parent, fields, isEmpty);
		if (typeof state === 'number') return loop.nextTick(() => listener(pushError(state)), []);
		const stream = new ServerHttp2Stream(session, state, headers);
		stream._sentHeaders = headers;
		stream.push(null);
		if (isEmpty) stream.end();
		stream._isHeadRequest = isHead;
		loop.nextTick(() => listener(null, stream, headers, 0), []);
	}

	/** @throws ERR_HTTP2_HEADERS_SENT, ERR_HTTP2_INVALID_STREAM, ERR_HTTP2_STATUS_INVALID and those for headers */
	respond(given?: unknown, options?: unknown): void {
		this._checkUnanswered();
		objectOrNone(options, 'options');
		const { endStream, waitForTrailers, sendDate } = (options ?? {}) as RespondOptions;
		this._refreshIdle();
		if (waitForTrailers) this._waitsForTrailers = true;
		const { headers, status } = responseHeaders(given, sendDate);
		if (Array.isArray(headers)) this._sentList = headers;
		else this._sentHeaders = headers;
		const fields = fieldsOf(headers, responsePseudo);
		this._hasHeaders = true;
		if (endStream || BODYLESS.has(status) || this.headRequest) this.end();
		if (this._state)
			this._session?._connection?.respond(this._state, fields, Boolean(endStream), Boolean(waitForTrailers));
	}

	override _proceed(): void {
		this.respond();
	}

	_checkUnanswered(): void {
		if (this.destroyed || this.closed) throw http2Error('INVALID_STREAM');
		if (this.headersSent) throw http2Error('HEADERS_SENT');
	}

	/** Sends an open file. @throws as {@link respond}, ERR_HTTP2_PAYLOAD_FORBIDDEN, ERR_INVALID_ARG_TYPE */
	respondWithFD(given: unknown, headers?: unknown, options?: unknown): void {
		this._checkUnanswered();
		const checked = this._fileOptions(options);
		const fd = descriptorOf(given);
		this._refreshIdle();
		new FileResponse(ServerHttp2Stream.fs, this, this._fileHeaders(headers, checked), checked).send(fd);
	}

	/** Sends a file. @throws as {@link respond}, ERR_HTTP2_PAYLOAD_FORBIDDEN */
	respondWithFile(path: unknown, headers?: unknown, options?: unknown): void {
		this._checkUnanswered();
		const checked = this._fileOptions(options);
		this._refreshIdle();
		new FileResponse(ServerHttp2Stream.fs, this, this._fileHeaders(headers, checked), checked).open(path);
	}

	_fileOptions(options: unknown): FileOptions {
		objectOrNone(options, 'options');
		const given = { ...(options as FileOptions | undefined) };
		checkFileOptions(given);
		if (given.waitForTrailers) this._waitsForTrailers = true;
		return given;
	}

	_fileHeaders(given: unknown, { sendDate }: FileOptions): Headers {
		const { headers, status } = responseObject(given, sendDate, 'of type object');
		if (BODYLESS.has(status) || this.headRequest) throw payloadForbidden(status);
		return headers;
	}

	_respondWithData(headers: Headers): boolean {
		const { _state: state, _session: session } = this;
		this._hasHeaders = true;
		try {
			const fields = fieldsOf(headers, responsePseudo);
			this._sentHeaders = headers;
			// The data do not pass through the writable side.
			Object.assign(this, { _final: null });
			this.end();
			if (state) session?._connection?.respond(state, fields, false, this._waitsForTrailers);
			return true;
		} catch (error) {
			this.destroy(error as Error);
			return false;
		}
	}

	/** Sends informational headers. @throws ERR_HTTP2_HEADERS_AFTER_RESPOND, ERR_HTTP2_INVALID_INFO_STATUS, … */
	additionalHeaders(given: unknown): void {
		if (this.destroyed || this.closed) throw http2Error('INVALID_STREAM');
		if (this.headersSent) throw http2Error('HEADERS_AFTER_RESPOND');
		objectOrNone(given, 'headers');
		const headers = Object.assign(Object.create(null), given) as Headers;
		if (headers[':status'] !== undefined && headers[':status'] !== null) {
			const status = Number(headers[':status']) | 0;
			headers[':status'] = status;
			if (status === 101) throw http2Error('STATUS_101');
			if (status < 100 || status >= 200) throw invalidInfoStatus(status);
		}
		this._refreshIdle();
		const fields = fieldsOf(headers, responsePseudo);
		(this._sentInfo ??= []).push(headers);
		if (this._state) this._session?._connection?.inform(this._state, fields);
	}
}

const pushError = (cause: number): Error => {
	if (cause === CAUSE.STREAM_ID_NOT_AVAILABLE) return http2Error('OUT_OF_STREAMS');
	return cause === CAUSE.STREAM_CLOSED ? http2Error('INVALID_STREAM') : protocolError(cause);
};

/** Headers of a response with status and date. @throws ERR_HTTP2_STATUS_INVALID, ERR_INVALID_ARG_TYPE */
function responseHeaders(given: unknown, sendDate: unknown): { headers: Headers | HeaderList; status: number } {
	return Array.isArray(given)
		? responseList(given as HeaderList, sendDate)
		: responseObject(given, sendDate, 'an instance of Array or Object');
}

const isDated = (sendDate: unknown): boolean => sendDate === undefined || sendDate === null || Boolean(sendDate);

function responseObject(given: unknown, sendDate: unknown, expected: string): { headers: Headers; status: number } {
	objectOrNone(given, 'headers', expected);
	const source = (given ?? {}) as Headers;
	const headers = Object.assign(Object.create(null), source) as Headers;
	headers[sensitiveHeaders] = source[sensitiveHeaders];
	const status = Number(headers[':status']) | 0 || 200;
	headers[':status'] = status;
	if (isDated(sendDate)) headers['date'] ??= new Date().toUTCString();
	checkResponse(headers, status);
	return { headers, status };
}

function responseList(headers: HeaderList, sendDate: unknown): { headers: HeaderList; status: number } {
	let status = 0;
	let hasDate = false;
	for (let at = 0; at < headers.length; at += 2) {
		const name = String(headers[at]).toLowerCase();
		if (name === ':status') status = Number(headers[at + 1]) | 0;
		hasDate ||= name === 'date';
	}
	if (status === 0) {
		status = 200;
		headers.unshift(':status', status);
	}
	if (!hasDate && isDated(sendDate)) headers.push('date', new Date().toUTCString());
	checkResponse(headers, status);
	return { headers, status };
}

function checkResponse(headers: Headers | HeaderList, status: number): void {
	if (status < 200 || status > 599) throw invalidStatus(status);
	const sensitive: unknown = headers[sensitiveHeaders];
	if (sensitive !== undefined && !Array.isArray(sensitive)) throw invalidValue('headers[http2.neverIndex]', sensitive);
}
