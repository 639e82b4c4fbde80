import { isSyscallError, nodeError, systemError } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import {
	adoptServer,
	adoptSocket,
	handOverServer,
	handOverSocket,
	type HandedServer,
	type HandedSocket
} from '../net/hand-over.ts';
import { DatagramSocket } from '../dgram/socket.ts';
import type { Address } from '../net/address.ts';
import { Server } from '../net/server.ts';
import { Socket } from '../net/socket.ts';

/** Socket or server that accompanies a message to another process. */
export type SentHandle =
	| ({ kind: 'net.Socket'; key: number | null } & HandedSocket)
	| ({ kind: 'net.Server' } & HandedServer)
	| { kind: 'dgram.Socket'; number: number; type: 'udp4' | 'udp6'; address: Address };

/** Options of `send`. */
export interface SendOptions {
	keepOpen?: boolean;
	swallowErrors?: boolean;
}

/**
 * Sockets and servers that cross a channel. A connection of a server counts among that server's until the process that
 * got it has closed it.
 */
export class SentHandles {
	readonly #counted = new Map<number, Socket>();
	#lastKey = 0;

	/**
	 * @param pid process at the other end
	 * @param closed reports to the other end that a connection it has sent is closed
	 */
	constructor(
		private readonly runtime: Runtime,
		private readonly pid: () => number,
		private readonly closed: (key: number) => void
	) {}

	/**
	 * Hands a handle over, before its message is sent.
	 * @returns null if it is closed: the message is sent without it
	 * @throws ERR_INVALID_HANDLE_TYPE; a system error if the process is gone
	 */
	send(handle: unknown, { keepOpen = false }: SendOptions): SentHandle | null {
		try {
			if (handle instanceof Socket) return this.#sendSocket(handle, keepOpen);
			if (handle instanceof Server) {
				const handed = handOverServer(handle, this.pid());
				return handed && { kind: 'net.Server', ...handed };
			}
			if (handle instanceof DatagramSocket) return this.#sendDatagrams(handle);
		} catch (error) {
			throw isSyscallError(error) ? systemError(error.code, 'write') : error;
		}
		throw nodeError(TypeError, 'ERR_INVALID_HANDLE_TYPE', 'This handle type cannot be sent');
	}

	#sendSocket(socket: Socket, isKept: boolean): SentHandle | null {
		const { server } = socket;
		const handed = handOverSocket(socket, this.pid(), isKept);
		if (!handed) return null;
		const isCounted = server instanceof Server && !isKept;
		if (isCounted) this.#counted.set(++this.#lastKey, socket);
		return { kind: 'net.Socket', key: isCounted ? this.#lastKey : null, ...handed };
	}

	#sendDatagrams({ _descriptor: descriptor, _address: address, type }: DatagramSocket): SentHandle | null {
		if (descriptor === null || !address) return null;
		const number = this.runtime.sys.handOver(descriptor, this.pid());
		return { kind: 'dgram.Socket', number, type, address };
	}

	/** Opens a handle that has arrived. @throws SyscallError */
	receive(handle: SentHandle): Socket | Server | DatagramSocket {
		if (handle.kind === 'dgram.Socket') return this.#receiveDatagrams(handle);
		if (handle.kind === 'net.Server') return adoptServer(this.runtime, handle);
		const socket = adoptSocket(this.runtime, handle);
		const { key } = handle;
		if (key !== null) socket.once('_gone', () => this.closed(key));
		return socket;
	}

	#receiveDatagrams({ number, type, address }: SentHandle & { kind: 'dgram.Socket' }): DatagramSocket {
		DatagramSocket.runtime = this.runtime;
		const socket = new DatagramSocket(type);
		const descriptor = this.runtime.sys.takeOver(number);
		this.runtime.loop.nextTick(() => socket._adopt(descriptor, address.address, address.port), []);
		return socket;
	}

	/** The other end has closed a connection that was sent. */
	gone(key: number): void {
		this.#counted.get(key)?.emit('_gone');
		this.#counted.delete(key);
	}

	/** The other end is gone, and what it had with it. */
	allGone(): void {
		for (const key of [...this.#counted.keys()]) this.gone(key);
	}
}
