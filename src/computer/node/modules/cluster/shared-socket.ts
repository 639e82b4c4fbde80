import { isSyscallError } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Server } from '../net/server.ts';
import type { SharedPlace } from '../net/shared-listening.ts';

type Opened = { descriptor: number; port: number } | { code: string };

/**
 * Listening socket that the primary has opened for its workers. Each worker has a descriptor of it, and the kernel
 * gives connections to the workers that wait for one in turns: one that is busy or gone gets none.
 */
export class SharedSocket {
	readonly #users = new Set<number>();
	#server: Server | null = null;
	/** Descriptor and port, or the code of the error if it could not be opened. */
	readonly #opened: Opened;

	constructor(
		private readonly runtime: Runtime,
		place: SharedPlace
	) {
		this.#opened = this.#open(place);
	}

	get isOpen(): boolean {
		return 'descriptor' in this.#opened;
	}

	#open({ address, port, addressType, reuseAddr = false, ipv6Only = false }: SharedPlace): Opened {
		if (addressType === 'udp4' || addressType === 'udp6') {
			const family = addressType === 'udp6' ? 6 : 4;
			return this.#attempt(() =>
				this.runtime.sys.bindDatagrams(family, address ?? '', port, { reuse: reuseAddr, only6: ipv6Only })
			);
		}
		Server.runtime = this.runtime;
		const server = new Server();
		const failure = port < 0 ? server._listenAt(address ?? '') : server._listenOn({ port, host: address ?? undefined });
		const { _descriptor: descriptor, _address: own } = server;
		if (failure || descriptor === null) return { code: String(failure && Reflect.get(failure, 'code')) };
		this.#server = server;
		return { descriptor, port: typeof own === 'object' && own ? own.port : -1 };
	}

	#attempt<Result>(call: () => Result): Result | { code: string } {
		try {
			return call();
		} catch (error) {
			if (isSyscallError(error)) return { code: error.code };
			throw error;
		}
	}

	/** Hands a descriptor to the worker `id`. @returns its number there, or the code of the error */
	add(id: number, pid: number): { number: number; port: number } | { code: string } {
		const opened = this.#opened;
		if ('code' in opened) return opened;
		return this.#attempt(() => {
			const number = this.runtime.sys.handOver(opened.descriptor, pid);
			this.#users.add(id);
			return { number, port: opened.port };
		});
	}

	/** @returns true if no worker uses it any more: it is closed then */
	remove(id: number): boolean {
		if (!this.#users.delete(id) || this.#users.size > 0) return false;
		if (this.#server) this.#server.close();
		else if ('descriptor' in this.#opened) this.runtime.sys.close(this.#opened.descriptor);
		return true;
	}
}
