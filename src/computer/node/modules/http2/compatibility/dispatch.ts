import type EventEmitter from '../../events.ts';
import type { Headers } from '../header-lists.ts';
import type { ServerHttp2Stream } from '../server-stream.ts';
import type { Http2ServerRequest } from './request.ts';
import type { Http2ServerResponse } from './response.ts';

/** Classes of a server's requests and responses. */
export interface ExchangeClasses {
	Http2ServerRequest: typeof Http2ServerRequest;
	Http2ServerResponse: typeof Http2ServerResponse;
}

/** Emits `request` for streams, or the event that the method or the expectation of the request asks for. */
export function dispatchTo(server: InstanceType<typeof EventEmitter>, classes: ExchangeClasses) {
	return (stream: ServerHttp2Stream, headers: Headers, _flags: number, raw: string[]): void => {
		const request = new classes.Http2ServerRequest(stream, headers, undefined, raw);
		const response = new classes.Http2ServerResponse(stream);
		const answer = (status: number) => {
			response.statusCode = status;
			response.end();
		};
		if (headers[':method'] === 'CONNECT') {
			if (!server.emit('connect', request, response)) answer(405);
			return;
		}
		if (headers['expect'] === undefined) return void server.emit('request', request, response);
		if (headers['expect'] !== '100-continue') {
			if (!server.emit('checkExpectation', request, response)) answer(417);
			return;
		}
		if (server.emit('checkContinue', request, response)) return;
		response.writeContinue();
		server.emit('request', request, response);
	};
}
