import { DATAGRAM_BYTES, type Datagram } from '#computer/abi/datagram.ts';
import { errno } from '#computer/abi/errno.ts';
import { PIPE_BYTES } from '#computer/abi/limits.ts';
import type { DatagramSettings } from '#computer/abi/syscalls.ts';
import type { Process } from '../processes/process.ts';
import { Description } from '../streams/description.ts';
import type { StreamUser } from '../streams/stream-user.ts';
import { Watchers } from '../streams/watchers.ts';
import { isAny, isGroup, mappedAddress, ownAddress, type Family, type HostAddress } from './datagram-address.ts';

/** Memory that a datagram takes besides its contents, in bytes: many empty ones fill a queue too. */
const OVERHEAD_BYTES = 768;
/** As in Linux: initial and maximum size of the queue. */
const RECEIVE_BYTES = 212_992;
const MOST_RECEIVE_BYTES = 2 * RECEIVE_BYTES;
/** Number of groups that one socket may join. */
const MAX_GROUPS = 20;

interface Waiting {
	reader: StreamUser;
	resolve: (datagram: Datagram) => void;
	reject: (error: Error) => void;
}

/** Address of a bound socket, and how it shares it. */
export interface Binding extends HostAddress {
	port: number;
	/** Family of the socket; that of the address differs for IPv4 addresses written as IPv6. */
	socketFamily: Family;
	/** Others that say so too may bind the same address. */
	isShared: boolean;
	/** Takes no IPv4, as a socket of IPv6 that is bound to any address otherwise does. */
	isOnly6: boolean;
}

/** Socket of datagrams. Its queue is bounded: what does not fit is dropped, as on a network. */
export class DatagramSocket extends Description {
	peer: (HostAddress & { port: number }) | null = null;
	mayBroadcast = false;
	/** Set if its datagrams to groups reach this machine too. */
	loopsBack = true;
	/** Joined groups, with the only senders that it takes datagrams from; null: any. */
	readonly groups = new Map<string, Set<string> | null>();
	#queue: Datagram[] = [];
	#queuedBytes = 0;
	#limit = RECEIVE_BYTES;
	#waiting: Waiting[] = [];
	/** The peer has refused a datagram: the next call fails. */
	#isRefused = false;
	readonly #watchers = new Watchers();

	/** @param forget called when the last holder has released it */
	constructor(
		readonly binding: Binding,
		readonly process: Process,
		private readonly forget: () => void
	) {
		super();
	}

	/** Own address in datagrams to a target of that family. */
	sourceFor(family: Family): string {
		return ownAddress(this.binding, family);
	}

	/** Waits for the next datagram. @throws ECONNREFUSED if the peer has refused one */
	receive(reader: StreamUser): Datagram | Promise<Datagram> {
		this.throwRefusal();
		const first = this.#queue.shift();
		if (!first) return new Promise((resolve, reject) => this.#waiting.push({ reader, resolve, reject }));
		this.#queuedBytes -= first.bytes.length + OVERHEAD_BYTES;
		return first;
	}

	/** Takes a datagram, or drops it if its queue is full. */
	deliver(family: Family, { address, port, bytes }: Datagram): void {
		const isMapped = family === 4 && this.binding.socketFamily === 6;
		const datagram = { address: isMapped ? mappedAddress(address) : address, port, bytes };
		for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
			if (!next.reader.ended) return next.resolve(datagram);
		}
		const size = bytes.length + OVERHEAD_BYTES;
		if (this.#queuedBytes + size > this.#limit) return;
		this.#queue.push(datagram);
		this.#queuedBytes += size;
		this.#watchers.notify();
	}

	/** Returns whether a datagram from `source` is for this socket, which is bound to the right address. */
	takesFrom(family: Family, address: string, port: number): boolean {
		const { peer } = this;
		return !peer || (peer.family === family && peer.address === address && peer.port === port);
	}

	/** Returns whether a datagram to an address can be for this socket. */
	isAt(family: Family, address: string, port: number): boolean {
		const { binding } = this;
		if (binding.port !== port) return false;
		if (isAny(binding)) return binding.family === family || (binding.family === 6 && !binding.isOnly6);
		return binding.family === family && binding.address === address;
	}

	/** Reports that nothing is at the peer's address. */
	refuse(): void {
		const next = this.#waiting.shift();
		if (next) return next.reject(refused());
		this.#isRefused = true;
		this.#watchers.notify();
	}

	throwRefusal(): void {
		if (!this.#isRefused) return;
		this.#isRefused = false;
		throw refused();
	}

	/** @throws EMSGSIZE */
	checkSize(bytes: Uint8Array): void {
		if (bytes.length > DATAGRAM_BYTES[this.binding.socketFamily]) throw errno('EMSGSIZE');
	}

	/** @throws EINVAL, EADDRINUSE, EADDRNOTAVAIL, ENOBUFS for groups */
	set({ broadcast, loopback, receiveBytes, join, leave, source }: DatagramSettings): void {
		if (broadcast !== undefined) this.mayBroadcast = broadcast;
		if (loopback !== undefined) this.loopsBack = loopback;
		if (receiveBytes !== undefined) this.#limit = Math.min(receiveBytes, MOST_RECEIVE_BYTES);
		if (join !== undefined) this.#join(join, source);
		if (leave !== undefined) this.#leave(leave, source);
	}

	#join(group: string, source: string | undefined): void {
		if (!isGroup(group)) throw errno('EINVAL');
		const known = this.groups.get(group);
		if (source === undefined ? this.groups.has(group) : known === null || known?.has(source))
			throw errno(source === undefined ? 'EADDRINUSE' : 'EADDRNOTAVAIL');
		if (!this.groups.has(group) && this.groups.size >= MAX_GROUPS) throw errno('ENOBUFS');
		this.groups.set(group, source === undefined ? null : new Set([...(known ?? []), source]));
	}

	#leave(group: string, source: string | undefined): void {
		if (!isGroup(group)) throw errno('EINVAL');
		const known = this.groups.get(group);
		if (known === undefined || (source !== undefined && !known?.has(source))) throw errno('EADDRNOTAVAIL');
		if (source !== undefined) known?.delete(source);
		if (source === undefined || known?.size === 0) this.groups.delete(group);
	}

	override read(): never {
		throw errno('EINVAL', undefined, 'a datagram has to be received with its address');
	}

	override write(): never {
		throw errno('EDESTADDRREQ');
	}

	override readiness() {
		return { readable: this.#queue.length > 0 || this.#isRefused, room: PIPE_BYTES };
	}

	override watch(caller: () => void) {
		return this.#watchers.add(caller);
	}

	override left(process: StreamUser): void {
		const left = this.#waiting.filter(({ reader }) => reader === process);
		this.#waiting = this.#waiting.filter(({ reader }) => reader !== process);
		for (const { reject } of left) reject(errno('EBADF'));
	}

	protected override closed(): void {
		this.forget();
		this.#queue = [];
		for (const { reject } of this.#waiting.splice(0)) reject(errno('EBADF'));
	}
}

const refused = () => errno('ECONNREFUSED', undefined, 'nothing receives datagrams at that port of the sandbox');
