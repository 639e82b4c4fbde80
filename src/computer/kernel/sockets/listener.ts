import { errno } from '#computer/abi/errno.ts';
import type { Process } from '../processes/process.ts';
import type { StreamUser } from '../streams/stream-user.ts';
import { Description } from '../streams/description.ts';
import { Watchers } from '../streams/watchers.ts';
import type { SocketEnd } from './socket.ts';

/** Number of connections waiting to be accepted before further ones are refused. */
const BACKLOG = 511;

interface Waiting {
	process: Process | null;
	resolve: (socket: SocketEnd) => void;
	reject: (error: Error) => void;
}

const closedPort = () => errno('ECONNABORTED', undefined, 'the port was closed');

/** A listening port. Processes that share it accept its connections in turns. */
export class Listener extends Description {
	#arrived: SocketEnd[] = [];
	#waiting: Waiting[] = [];
	readonly #watchers = new Watchers();

	/** @param forget called when the last holder has released it */
	constructor(
		readonly port: number,
		readonly process: Process,
		private readonly forget: () => void
	) {
		super();
	}

	/** Returns the next connection, retained once for the caller. */
	accept(process: Process | null): SocketEnd | Promise<SocketEnd> {
		return this.#arrived.shift() ?? new Promise((resolve, reject) => this.#waiting.push({ process, resolve, reject }));
	}

	/** Queues a new connection. @throws ECONNREFUSED if too many wait already */
	arrive(socket: SocketEnd): void {
		if (this.#arrived.length >= BACKLOG) throw errno('ECONNREFUSED', undefined, 'too many connections wait already');
		socket.retain();
		for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
			if (next.process?.ended) continue;
			return next.resolve(socket);
		}
		this.#arrived.push(socket);
		this.#watchers.notify();
	}

	override readiness() {
		return { readable: this.#arrived.length > 0, room: 0 };
	}

	override watch(caller: () => void) {
		return this.#watchers.add(caller);
	}

	override read(): never {
		throw errno('ENOTCONN');
	}

	override write(): never {
		throw errno('ENOTCONN');
	}

	override left(process: StreamUser): void {
		const left = this.#waiting.filter((waiting) => waiting.process === process);
		this.#waiting = this.#waiting.filter((waiting) => waiting.process !== process);
		for (const { reject } of left) reject(closedPort());
	}

	protected override closed(): void {
		this.forget();
		for (const { reject } of this.#waiting.splice(0)) reject(closedPort());
		for (const socket of this.#arrived.splice(0)) socket.release();
		this.#watchers.notify();
	}
}
