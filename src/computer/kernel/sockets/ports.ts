import { isLocal } from '#computer/abi/local-host.ts';
import { errno } from '#computer/abi/errno.ts';
import type { Process } from '../processes/process.ts';
import { Listener } from './listener.ts';
import { connectedPair, type SocketEnd } from './socket.ts';

/** Ports that are chosen for programs which leave the choice. */
export const FIRST_FREE = 32_768;
export const LAST_FREE = 60_999;

/** The sandbox's own loopback: the ports of one computer. Nothing here reaches a network. */
export class Ports {
	#listeners = new Map<number, Listener>();
	#nextFree = FIRST_FREE;
	/** Called after a port was opened or closed. */
	onChange: () => void = () => {};

	/** @param port 0 chooses a free one. @throws EADDRINUSE, EADDRNOTAVAIL */
	listen(process: Process, host: string, port: number): Listener {
		if (!isLocal(host)) throw errno('EADDRNOTAVAIL', undefined, `${host} is not an address of this sandbox`);
		const chosen = port === 0 ? this.#free() : port;
		if (chosen > 65_535) throw errno('EINVAL', undefined, `${port} is not a port`);
		if (this.#listeners.has(chosen)) throw errno('EADDRINUSE', undefined, `port ${chosen} is in use already`);
		const listener = new Listener(chosen, process, () => {
			this.#listeners.delete(chosen);
			this.onChange();
		});
		this.#listeners.set(chosen, listener);
		this.onChange();
		return listener;
	}

	/** @returns the caller's end, not retained yet. @throws ECONNREFUSED, ENETUNREACH */
	connect(host: string, port: number): SocketEnd {
		if (!isLocal(host)) {
			const advice = 'connections of this kind stay inside the sandbox; use fetch';
			throw errno('ENETUNREACH', undefined, `${host}:${port} cannot be reached: ${advice}`);
		}
		const listener = this.#listeners.get(port);
		if (!listener) throw errno('ECONNREFUSED', undefined, `nothing listens on port ${port} of the sandbox`);
		const [client, server] = connectedPair(this.#free(), port);
		listener.arrive(server);
		return client;
	}

	/** The process that listens on `port`. */
	ownerOf(port: number): Process | undefined {
		return this.#listeners.get(port)?.process;
	}

	listens(port: number): boolean {
		return this.#listeners.has(port);
	}

	/** Listening ports, lowest first, with their processes. */
	list(): { port: number; pid: number; command: string }[] {
		return [...this.#listeners.values()]
			.map(({ port, process: { pid, argv } }) => ({ port, pid, command: argv.join(' ') }))
			.sort((a, b) => a.port - b.port);
	}

	#free(): number {
		do {
			this.#nextFree = this.#nextFree >= LAST_FREE ? FIRST_FREE : this.#nextFree + 1;
		} while (this.#listeners.has(this.#nextFree));
		return this.#nextFree;
	}
}
