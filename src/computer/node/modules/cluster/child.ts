import { isSyscallError } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { EventEmitter } from '../events.ts';
import type { SharedAnswer, SharedListening, SharedPlace, SharedUser } from '../net/shared-listening.ts';
import { Intercom, type ClusterMessage } from './intercom.ts';
import { type Worker, workerClass, type WorkerProcess } from './worker.ts';

/** `node:cluster` of a worker. `_setupWorker` connects it with its primary, before the program runs. */
export function createChild(runtime: Runtime): EventEmitter {
	const child = new Child(runtime);
	return Object.assign(child.cluster, {
		isWorker: true,
		isMaster: false,
		isPrimary: false,
		Worker: child.Worker,
		_setupWorker: () => child.setUp(),
		_getServer: (user: SharedUser, place: SharedPlace, answered: (answer: SharedAnswer) => void) =>
			child.listen(user, place, answered)
	});
}

class Child implements SharedListening {
	readonly cluster: EventEmitter & { worker: Worker | null } = Object.assign(new EventEmitter(), { worker: null });
	readonly Worker: ReturnType<typeof workerClass>;
	#intercom: Intercom | null = null;
	/** Servers and sockets on shared addresses, by their keys. */
	readonly #users = new Map<string, SharedUser>();
	/** Number of times that each address was asked for, and is in use. */
	readonly #indexes = new Map<string, { next: number; used: Set<number> }>();

	constructor(private readonly runtime: Runtime) {
		const disconnect = (worker: Worker) => {
			if (worker.state === 'disconnecting' || worker.state === 'destroying') return;
			worker.state = 'disconnecting';
			this.#disconnect(worker, false);
		};
		const destroy = (worker: Worker) => this.#destroy(worker);
		this.Worker = workerClass({
			disconnect() {
				disconnect(this);
				return this;
			},
			destroy() {
				destroy(this);
			}
		});
	}

	setUp(): void {
		const process = this.runtime.process as unknown as WorkerProcess & NodeJS.Process;
		const worker = new this.Worker({ id: Number(process.env['NODE_UNIQUE_ID']), process, state: 'online' });
		this.cluster.worker = worker;
		process.once('disconnect', () => {
			worker.emit('disconnect');
			// The primary is gone.
			if (!worker.exitedAfterDisconnect) process.exit(0);
		});
		this.#intercom = new Intercom(process, ({ act }) => {
			if (act === 'disconnect') this.#disconnect(worker, true);
		});
		this.#intercom.send({ act: 'online' });
		this.runtime.sharedListening = this;
	}

	listen(user: SharedUser, given: SharedPlace, answered: (answer: SharedAnswer) => void): void {
		const place = { ...given };
		const id = [place.address, place.port, place.addressType].join(':');
		const index = this.#indexOf(id);
		this.#intercom?.send({ act: 'queryServer', index, data: null, ...place }, (message) => {
			const answer = this.#opened(message, () => this.#freeIndex(id, index));
			const key = String(message['key']);
			if ('descriptor' in answer) this.#users.set(key, user);
			answered(answer);
		});
		user.once('listening', () => {
			// It may be closed again.
			if (!this.#indexes.has(id)) return;
			if (this.cluster.worker) this.cluster.worker.state = 'listening';
			const address = user.address();
			const port = (typeof address === 'object' && address?.port) || place.port;
			this.#intercom?.send({ act: 'listening', index, data: null, ...place, port });
		});
	}

	/** Opens the descriptor that the primary has handed over. */
	#opened(message: ClusterMessage, free: () => void): SharedAnswer {
		const { number, code, port } = message;
		const key = String(message['key']);
		if (typeof number !== 'number') return { code: typeof code === 'string' ? code : 'EBADF' };
		try {
			const descriptor = this.runtime.sys.takeOver(number);
			let isOpen = true;
			const release = () => {
				if (!isOpen) return;
				isOpen = false;
				this.#intercom?.send({ act: 'close', key });
				this.#users.delete(key);
				free();
			};
			return { descriptor, port: Number(port), release };
		} catch (error) {
			if (isSyscallError(error)) return { code: error.code };
			throw error;
		}
	}

	/** Returns the number of a request for an address: those of the same number share a socket. */
	#indexOf(id: string): number {
		const known = this.#indexes.get(id) ?? { next: 0, used: new Set() };
		this.#indexes.set(id, known);
		known.used.add(known.next);
		return known.next++;
	}

	#freeIndex(id: string, index: number): void {
		const known = this.#indexes.get(id);
		known?.used.delete(index);
		if (known?.used.size === 0) this.#indexes.delete(id);
	}

	/** Closes all servers, then the channel. @param isAsked true if the primary asked for it */
	#disconnect(worker: Worker, isAsked: boolean): void {
		const { process } = worker;
		worker.exitedAfterDisconnect = true;
		let waiting = 1;
		const closed = () => {
			if (--waiting > 0) return;
			if (isAsked) process.disconnect();
			else this.#intercom?.send({ act: 'exitedAfterDisconnect' }, () => process.disconnect());
		};
		const users = [...this.#users.values()];
		this.#users.clear();
		waiting += users.length;
		for (const user of users) user.close(closed);
		closed();
	}

	#destroy(worker: Worker): void {
		if (worker.state === 'destroying') return;
		const { process } = this.runtime;
		worker.exitedAfterDisconnect = true;
		if (!worker.isConnected()) return void process.exit(0);
		worker.state = 'destroying';
		this.#intercom?.send({ act: 'exitedAfterDisconnect' }, () => worker.process.disconnect());
		worker.process.once('disconnect', () => process.exit(0));
	}
}
