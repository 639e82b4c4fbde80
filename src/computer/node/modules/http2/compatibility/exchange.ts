import type streams from '../../stream.ts';
import type { Http2Stream } from '../stream.ts';
import { streamSocket } from './stream-socket.ts';

/** Request of a stream, and the socket that it shares with its response. */
interface Exchange {
	request: InstanceType<typeof streams.Readable> | undefined;
	socket: Http2Stream | null;
}

const exchanges = new WeakMap<Http2Stream, Exchange>();

export function exchangeOf(stream: Http2Stream): Exchange {
	const known = exchanges.get(stream) ?? { request: undefined, socket: null };
	exchanges.set(stream, known);
	return known;
}

/** Socket of a stream, always the same one until the stream is closed. */
export function socketOf(stream: Http2Stream): Http2Stream {
	const exchange = exchangeOf(stream);
	return (exchange.socket ??= streamSocket(stream, () => (exchange.request ?? stream).readable));
}
