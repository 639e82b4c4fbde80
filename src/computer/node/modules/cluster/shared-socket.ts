import { isSyscallError } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Server } from '../net/server.ts';
import type { SharedPlace } from '../net/shared-listening.ts';

/**
 * Listening socket that the primary has opened for its workers. Each worker has a descriptor of it, and the kernel
 * gives connections to the workers that wait for one in turns: one that is busy or gone gets none.
 */
export class SharedSocket {
	readonly #users = new Set<number>();
	readonly #server: Server;
	/** Code of the error if it could not be opened. */
	readonly code: string | null;

	constructor(
		private readonly runtime: Runtime,
		{ address, port }: SharedPlace
	) {
		Server.runtime = runtime;
		this.#server = new Server();
		const failure =
			port < 0 ? this.#server._listenAt(address ?? '') : this.#server._listenOn({ port, host: address ?? undefined });
		this.code = failure ? String(Reflect.get(failure, 'code')) : null;
	}

	/** Hands a descriptor to the worker `id`. @returns its number there, or the code of the error */
	add(id: number, pid: number): { number: number; port: number } | { code: string } {
		const { _descriptor: descriptor, _address: address } = this.#server;
		if (descriptor === null) return { code: this.code ?? 'EBADF' };
		try {
			const number = this.runtime.sys.handOver(descriptor, pid);
			this.#users.add(id);
			return { number, port: typeof address === 'object' && address ? address.port : -1 };
		} catch (error) {
			if (isSyscallError(error)) return { code: error.code };
			throw error;
		}
	}

	/** @returns true if no worker uses it any more: it is closed then */
	remove(id: number): boolean {
		if (!this.#users.delete(id) || this.#users.size > 0) return false;
		this.#server.close();
		return true;
	}
}
