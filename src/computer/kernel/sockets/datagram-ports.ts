import { errno } from '#computer/abi/errno.ts';
import type { Process } from '../processes/process.ts';
import {
	boundAddress,
	isAny,
	isBroadcast,
	isGroup,
	targetAddress,
	type Family,
	type HostAddress
} from './datagram-address.ts';
import { DatagramSocket, type Binding } from './datagram-socket.ts';
import { FIRST_FREE, LAST_FREE } from './ports.ts';

/** Destination of a datagram. */
type Target = HostAddress & { port: number };

/** The ports for datagrams of one computer. Nothing here reaches a network. */
export class DatagramPorts {
	/** In the order in which they were bound. */
	#sockets = new Set<DatagramSocket>();
	#nextFree = FIRST_FREE;

	/**
	 * Opens a socket at an address.
	 * @param port 0 chooses a free one
	 * @throws EADDRINUSE, EADDRNOTAVAIL, EINVAL
	 */
	bind(
		process: Process,
		family: Family,
		address: string,
		port: number,
		{ reuse = false, only6 = false }: { reuse?: boolean; only6?: boolean } = {}
	): DatagramSocket {
		if (port > 65_535) throw errno('EINVAL', undefined, `${port} is not a port`);
		const host = boundAddress(family, address);
		const at = { ...host, socketFamily: family, isShared: reuse, isOnly6: only6 };
		const binding: Binding = { ...at, port: port === 0 ? this.#free() : port };
		if ([...this.#sockets].some((other) => conflict(other.binding, binding))) {
			throw errno('EADDRINUSE', undefined, `port ${binding.port} is in use already`);
		}
		const socket = new DatagramSocket(binding, process, () => this.#sockets.delete(socket));
		this.#sockets.add(socket);
		return socket;
	}

	/** Chooses the only other end of a socket, or none. @throws EINVAL, ENETUNREACH, EACCES */
	connect(socket: DatagramSocket, address: string | null, port: number): void {
		socket.peer = address === null ? null : this.#target(socket, address, port);
	}

	/**
	 * Sends a datagram; absent an address, to the peer.
	 * @throws EDESTADDRREQ, EMSGSIZE, ECONNREFUSED if the peer has refused the one before, and those of `connect`
	 */
	send(socket: DatagramSocket, bytes: Uint8Array, address: string | null, port: number): void {
		socket.throwRefusal();
		const target = address === null ? socket.peer : this.#target(socket, address, port);
		if (!target) throw errno('EDESTADDRREQ');
		socket.checkSize(bytes);
		const receivers = this.#receivers(socket, target);
		const source = socket.sourceFor(target.family);
		const own = bytes.slice();
		for (const receiver of receivers)
			receiver.deliver(target.family, { address: source, port: socket.binding.port, bytes: own });
		if (receivers.length === 0 && address === null && !isGroup(target.address)) socket.refuse();
	}

	/** Processes that a datagram would reach. */
	ownersAt(socket: DatagramSocket, address: string | null, port: number): Process[] {
		const target = address === null ? socket.peer : this.#target(socket, address, port);
		return target ? this.#receivers(socket, target).map(({ process }) => process) : [];
	}

	#target(socket: DatagramSocket, address: string, port: number): Target {
		const target = { ...targetAddress(socket.binding.socketFamily, address), port };
		if (isBroadcast(target.address) && !socket.mayBroadcast) throw errno('EACCES');
		return target;
	}

	#receivers(sender: DatagramSocket, { family, address, port }: Target): DatagramSocket[] {
		const source = sender.sourceFor(family);
		const takers = [...this.#sockets].filter((socket) => socket.takesFrom(family, source, sender.binding.port));
		if (isGroup(address)) return sender.loopsBack ? this.#members(takers, family, address, port, source) : [];
		if (isBroadcast(address)) return takers.filter(({ binding }) => isAny(binding) && binding.port === port);
		const found = takers.filter((socket) => socket.isAt(family, address, port));
		// As in Linux, the most exact one, and of several the last.
		const exact = (socket: DatagramSocket) => (socket.peer ? 2 : 0) + (isAny(socket.binding) ? 0 : 1);
		const most = Math.max(...found.map(exact));
		return found.filter((socket) => exact(socket) === most).slice(-1);
	}

	/** Sockets that get a datagram to a group: as in Linux, also those that have not joined it, if one has. */
	#members(takers: DatagramSocket[], family: Family, group: string, port: number, source: string): DatagramSocket[] {
		if (![...this.#sockets].some(({ groups }) => groups.has(group))) return [];
		return takers
			.filter((socket) => socket.isAt(family, group, port))
			.filter(({ groups }) => groups.get(group)?.has(source) ?? true);
	}

	#free(): number {
		do {
			this.#nextFree = this.#nextFree >= LAST_FREE ? FIRST_FREE : this.#nextFree + 1;
		} while ([...this.#sockets].some(({ binding }) => binding.port === this.#nextFree));
		return this.#nextFree;
	}
}

/** Returns whether two sockets cannot both be bound. */
function conflict(a: Binding, b: Binding): boolean {
	if (a.port !== b.port || (a.isShared && b.isShared)) return false;
	const covers = (one: Binding, other: Binding) =>
		isAny(one) &&
		(one.family === other.family || (one.family === 6 && !one.isOnly6 && !(other.isOnly6 && isAny(other))));
	return covers(a, b) || covers(b, a) || (a.family === b.family && a.address === b.address);
}
