import { http2Error } from '../errors.ts';
import type { Http2Stream } from '../stream.ts';

const OF_STREAM = new Set<string | symbol>(['on', 'once', 'end', 'emit', 'destroy']);
const FIELDS = new Set<string | symbol>(['writable', 'readable', 'destroyed']);
const FORBIDDEN = new Set<string | symbol>(['write', 'read', 'pause', 'resume']);

const bound = (value: unknown, owner: object): unknown =>
	typeof value === 'function' ? (value.bind(owner) as unknown) : value;

/** Connection of a stream, the stream itself once it is closed. */
const connectionOf = (stream: Http2Stream): object =>
	(stream.session as { _socket?: object } | undefined)?._socket ?? stream;

/** `request.socket` and `response.socket`: the stream, with the properties of its connection. */
export function streamSocket(stream: Http2Stream, isReadable: () => boolean): Http2Stream {
	return new Proxy(stream, {
		has: (target, name) => name in target || name in connectionOf(target),
		get(target, name) {
			if (OF_STREAM.has(name)) return bound(Reflect.get(target, name), target);
			if (name === 'readable') return !target.destroyed && isReadable();
			if (FIELDS.has(name)) return Reflect.get(target, name) as unknown;
			if (FORBIDDEN.has(name)) throw http2Error('NO_SOCKET_MANIPULATION');
			const owner = name === 'setTimeout' ? (target.session ?? target) : connectionOf(target);
			return bound(Reflect.get(owner, name), owner);
		},
		getPrototypeOf: (target) => Reflect.getPrototypeOf(connectionOf(target)),
		set(target, name, value) {
			if (FORBIDDEN.has(name)) throw http2Error('NO_SOCKET_MANIPULATION');
			if (OF_STREAM.has(name) || FIELDS.has(name)) return Reflect.set(target, name, value);
			return Reflect.set(name === 'setTimeout' ? (target.session ?? target) : connectionOf(target), name, value);
		}
	});
}
