import type { Runtime } from '../../runtime/runtime.ts';
import { createChildProcess } from '../child-process/index.ts';
import type { ChildOptions } from '../child-process/arguments.ts';
import { EventEmitter } from '../events.ts';
import { isSocketName } from '#computer/abi/special-files.ts';
import type { SharedPlace } from '../net/shared-listening.ts';
import { Intercom, type ClusterMessage } from './intercom.ts';
import { SCHEDULING, schedulingPolicy } from './scheduling.ts';
import { SharedSocket } from './shared-socket.ts';
import { type Worker, workerClass, type WorkerProcess } from './worker.ts';

/** `cluster.settings`. */
interface Settings extends Omit<ChildOptions, 'stdio'> {
	exec?: string;
	args?: string[];
	stdio?: ChildOptions['stdio'];
}

type Fork = (file: string | undefined, args: string[], options: Record<string, unknown>) => WorkerProcess;

/** The cluster as its primary sees it. */
interface Cluster extends EventEmitter {
	workers: Record<number, Worker>;
	settings: Settings;
	schedulingPolicy: number;
}

/** `node:cluster` of a program that is no worker itself. */
export function createPrimary(runtime: Runtime): EventEmitter {
	const primary = new Primary(runtime);
	const setupPrimary = (options?: Settings) => primary.setUp(options);
	return Object.assign(primary.cluster, {
		isWorker: false,
		isMaster: true,
		isPrimary: true,
		Worker: primary.Worker,
		...SCHEDULING,
		setupPrimary,
		setupMaster: setupPrimary,
		fork: (env?: Record<string, unknown>) => primary.fork(env),
		disconnect: (done?: () => void) => primary.disconnect(done)
	});
}

class Primary {
	readonly cluster: Cluster;
	readonly Worker: ReturnType<typeof workerClass>;
	readonly #intercoms = new WeakMap<Worker, Intercom>();
	readonly #sockets = new Map<string, SharedSocket>();
	readonly #events = new EventEmitter();
	#lastId = 0;
	#policy: number | null = null;

	constructor(private readonly runtime: Runtime) {
		const { env } = runtime.process;
		const state = { workers: {}, settings: {}, schedulingPolicy: schedulingPolicy(env['NODE_CLUSTER_SCHED_POLICY']) };
		this.cluster = Object.assign(new EventEmitter(), state);
		const disconnect = (worker: Worker) => this.#disconnectWorker(worker);
		this.Worker = workerClass({
			disconnect() {
				disconnect(this);
				return this;
			},
			destroy(signal = 'SIGTERM') {
				this.process.kill(signal as never);
			}
		});
	}

	/** @throws AssertionError for a scheduling policy that there is not */
	setUp(options?: Settings): void {
		const { process, loop } = this.runtime;
		const settings: Settings = {
			args: process.argv.slice(2),
			exec: process.argv[1],
			execArgv: process.execArgv,
			silent: false,
			...this.cluster.settings,
			...options
		};
		this.cluster.settings = settings;
		this.#policy ??= checkedPolicy(this.cluster.schedulingPolicy);
		loop.nextTick(() => this.cluster.emit('setup', settings), []);
	}

	fork(env?: Record<string, unknown>): Worker {
		this.setUp();
		const id = ++this.#lastId;
		const worker = new this.Worker({ id, process: this.#start(id, env) });
		worker.on('message', (message: unknown, handle: unknown) => this.cluster.emit('message', worker, message, handle));
		worker.process.once('exit', (code: number | null, signal: string | null) => this.#exited(worker, code, signal));
		worker.process.once('disconnect', () => this.#disconnected(worker));
		this.#intercoms.set(worker, new Intercom(worker.process, (message) => this.#receive(worker, message)));
		this.runtime.loop.nextTick(() => this.cluster.emit('fork', worker), []);
		this.cluster.workers[id] = worker;
		return worker;
	}

	#start(id: number, env: Record<string, unknown> | undefined): WorkerProcess {
		const { exec, args = [], execArgv = [], ...options } = this.cluster.settings;
		const fork = createChildProcess(this.runtime)['fork'] as Fork;
		return fork(exec, args, {
			...options,
			execArgv: [...execArgv],
			env: { ...this.runtime.process.env, ...env, NODE_UNIQUE_ID: String(id) }
		});
	}

	disconnect(done?: () => void): void {
		const workers = Object.values(this.cluster.workers);
		if (workers.length === 0) this.runtime.loop.nextTick(() => this.#events.emit('disconnect'), []);
		for (const worker of workers) if (worker.isConnected()) worker.disconnect();
		if (typeof done === 'function') this.#events.once('disconnect', done);
	}

	#disconnectWorker(worker: Worker): void {
		worker.exitedAfterDisconnect = true;
		this.#intercoms.get(worker)?.send({ act: 'disconnect' });
		this.#releaseSockets(worker);
		this.#remove(worker);
	}

	#exited(worker: Worker, code: number | null, signal: string | null): void {
		// The last messages of a worker that is still connected are for one in the list.
		if (!worker.isConnected()) {
			this.#releaseSockets(worker);
			this.#remove(worker);
		}
		worker.exitedAfterDisconnect = Boolean(worker.exitedAfterDisconnect);
		worker.state = 'dead';
		worker.emit('exit', code, signal);
		this.cluster.emit('exit', worker, code, signal);
	}

	#disconnected(worker: Worker): void {
		this.#releaseSockets(worker);
		if (worker.isDead()) this.#remove(worker);
		worker.exitedAfterDisconnect = Boolean(worker.exitedAfterDisconnect);
		worker.state = 'disconnected';
		worker.emit('disconnect');
		this.cluster.emit('disconnect', worker);
	}

	#remove(worker: Worker): void {
		delete this.cluster.workers[worker.id];
		if (Object.keys(this.cluster.workers).length === 0) this.#events.emit('disconnect');
	}

	#releaseSockets(worker: Worker): void {
		for (const [key, socket] of this.#sockets) if (socket.remove(worker.id)) this.#sockets.delete(key);
	}

	#receive(worker: Worker, message: ClusterMessage): void {
		const answer = (fields: Record<string, unknown>) =>
			this.#intercoms.get(worker)?.send({ ack: message.seq, ...fields });
		if (message.act === 'online') {
			worker.state = 'online';
			worker.emit('online');
			this.cluster.emit('online', worker);
		} else if (message.act === 'exitedAfterDisconnect') {
			worker.exitedAfterDisconnect = true;
			answer({});
		} else if (message.act === 'listening') this.#listens(worker, message);
		else if (message.act === 'queryServer') {
			// A worker that is leaving gets no more sockets.
			if (!worker.exitedAfterDisconnect) answer(this.#share(worker, message));
		} else if (message.act === 'close') {
			const key = String(message['key']);
			if (this.#sockets.get(key)?.remove(worker.id)) this.#sockets.delete(key);
		}
	}

	#listens(worker: Worker, message: ClusterMessage): void {
		const { addressType, address, port, fd } = message;
		const place = { addressType, address, port, fd };
		worker.state = 'listening';
		worker.emit('listening', place);
		this.cluster.emit('listening', worker, place);
	}

	#share(worker: Worker, message: ClusterMessage): Record<string, unknown> {
		const place = message as unknown as SharedPlace;
		const { address, port, addressType } = place;
		const key = `${address}:${port}:${addressType}:${String(message['fd'])}:${String(message['index'])}`;
		let socket = this.#sockets.get(key);
		if (!socket) this.#sockets.set(key, (socket = new SharedSocket(this.runtime, this.#withPath(place))));
		const added = socket.add(worker.id, worker.process.pid ?? 0);
		// Another worker may try again.
		if (!socket.isOpen) this.#sockets.delete(key);
		return { key, ...added };
	}

	/** A worker resolves the path of a socket file in its own directory. */
	#withPath(place: SharedPlace): SharedPlace {
		const { address, port } = place;
		return port < 0 && address !== null && !isSocketName(address)
			? { ...place, address: this.runtime.resolvePath(address) }
			: place;
	}
}

function checkedPolicy(policy: number): number {
	const { SCHED_NONE, SCHED_RR } = SCHEDULING;
	if (policy !== SCHED_NONE && policy !== SCHED_RR) throw new Error(`Bad cluster.schedulingPolicy: ${policy}`);
	return policy;
}
