import { handleOf, type Handle } from '../net/handle.ts';
import { Socket } from '../net/socket.ts';
import type streams from '../stream.ts';

type Duplex = InstanceType<typeof streams.Duplex>;
type Done = (error?: Error | null) => void;

/**
 * Connection over a stream of a program. It is internal in Node; packages for HTTP/2, and `got` through them, get the
 * class from the handle of a `TLSSocket`.
 */
export class JSStreamSocket extends Socket {
	readonly stream: Duplex;

	constructor(stream: Duplex) {
		super();
		this.stream = stream;
		stream.on('data', (bytes: Uint8Array) => {
			if (!this.push(bytes)) stream.pause();
		});
		stream.pause();
		stream.on('end', () => this.push(null));
		stream.on('error', (error: Error) => this.destroy(error));
		stream.on('close', () => this.destroy());
	}

	override get _handle(): Handle | null {
		return this.destroyed ? null : handleOf(this);
	}

	override set _handle(_handle: Handle | null) {
		// As for a plain connection.
	}

	override get pending(): boolean {
		return false;
	}

	override _read(): void {
		this.stream.resume();
	}

	override _write(chunk: Uint8Array, encoding: BufferEncoding, done: Done): void {
		this.stream.write(chunk, encoding, done);
	}

	override _final(done: Done): void {
		this.stream.end(() => done());
	}

	override _destroy(error: Error | null, done: Done): void {
		this.stream.destroy();
		super._destroy(error, done);
	}
}

/** Handle of a TLS connection over such a stream, which provides the class. It does not read from the stream. */
export function streamHandle(socket: Socket, stream: Duplex): Handle {
	const wrap = Object.create(JSStreamSocket.prototype, { stream: { value: stream } }) as object;
	return Object.assign(handleOf(socket), { _parentWrap: wrap });
}
