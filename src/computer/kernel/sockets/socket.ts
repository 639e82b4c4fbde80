import { errno } from '#computer/abi/errno.ts';
import { PIPE_BYTES } from '#computer/abi/limits.ts';
import type { StreamUser } from '../streams/stream-user.ts';
import { Description } from '../streams/description.ts';
import { Pipe } from '../streams/pipe.ts';

/** One end of a connection: reads what the other end writes. A connection consists of two pipes. */
export class SocketEnd extends Description {
	#isShut = false;

	constructor(
		private readonly incoming: Pipe,
		private readonly outgoing: Pipe,
		readonly localPort: number,
		readonly remotePort: number
	) {
		super();
		incoming.reader.retain();
		outgoing.writer.retain();
	}

	override read(max: number, reader: StreamUser | null): Uint8Array | Promise<Uint8Array> {
		return this.incoming.read(max, reader);
	}

	override write(bytes: Uint8Array, writer: StreamUser | null): void | Promise<void> {
		if (this.#isShut) throw errno('EPIPE');
		return this.outgoing.write(bytes, writer);
	}

	override readiness() {
		return { readable: this.incoming.isReadable, room: this.#isShut ? PIPE_BYTES : this.outgoing.room };
	}

	override watch(caller: () => void) {
		const ends = [this.incoming, this.outgoing].map(({ watchers }) => watchers.add(caller));
		return () => ends.forEach((end) => end());
	}

	/** Stops writing: the other end reads to the end. */
	shut(): void {
		if (this.#isShut) return;
		this.#isShut = true;
		this.outgoing.writer.release();
	}

	/** Ends the connection immediately: what the other end has not read is lost, and its reads fail with ECONNRESET. */
	cut(): void {
		this.outgoing.cut();
		this.shut();
	}

	override left(process: StreamUser): void {
		this.incoming.stopReading(process);
	}

	protected override closed(): void {
		this.shut();
		this.incoming.reader.release();
	}
}

/** Creates a connection: first the client's end, then the server's. */
export function connectedPair(clientPort: number, serverPort: number): [client: SocketEnd, server: SocketEnd] {
	const toServer = new Pipe();
	const toClient = new Pipe();
	return [
		new SocketEnd(toClient, toServer, clientPort, serverPort),
		new SocketEnd(toServer, toClient, serverPort, clientPort)
	];
}
