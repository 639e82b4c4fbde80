import { PROCESSES } from '#computer/abi/limits.ts';
import { errno } from '#computer/abi/errno.ts';

/** The message ports a process has handed over for children it has not spawned yet. */
export class Offers {
	#ports = new Map<number, MessagePort>();

	/** Drops offers beyond the maximum number of children. */
	put(id: number, port: MessagePort): void {
		if (this.#ports.size >= PROCESSES || this.#ports.has(id)) port.close();
		else this.#ports.set(id, port);
	}

	/** @throws EINVAL for a number that was not offered */
	take(id: number): MessagePort {
		const port = this.#ports.get(id);
		if (!port) throw errno('EINVAL', undefined, `no port ${id} was offered`);
		this.#ports.delete(id);
		return port;
	}

	closeAll(): void {
		for (const port of this.#ports.values()) port.close();
		this.#ports.clear();
	}
}
