import { callable } from '../callable.ts';
import { EventEmitter } from '../events.ts';

/** Process of a worker, as the primary sees it, or the worker's own. */
export interface WorkerProcess {
	pid?: number;
	connected: boolean;
	exitCode?: number | string | null;
	signalCode?: string | null;
	send(message: unknown, ...rest: unknown[]): boolean;
	on(event: string, listener: (...args: never[]) => void): unknown;
	once(event: string, listener: (...args: never[]) => void): unknown;
	kill(...args: never[]): unknown;
	disconnect(): void;
}

interface WorkerOptions {
	id?: number;
	process?: WorkerProcess;
	state?: string;
}

/** `cluster.Worker`, in the primary and in the worker itself. Each adds `disconnect` and `destroy`. */
class ClusterWorker extends EventEmitter {
	static {
		Object.defineProperty(this, 'name', { value: 'Worker' });
	}
	exitedAfterDisconnect: boolean | undefined = undefined;
	state: string;
	id: number;
	declare process: WorkerProcess;
	declare disconnect: () => this;
	declare destroy: (signal?: string) => void;

	constructor(options?: WorkerOptions) {
		super();
		const { state = 'none', id = 0, process } = options ?? {};
		this.state = state;
		this.id = id | 0;
		if (!process) return;
		this.process = process;
		process.on('error', (...args: unknown[]) => this.emit('error', ...args));
		process.on('message', (message: unknown, handle: unknown) => this.emit('message', message, handle));
	}

	kill(signal?: string): void {
		this.destroy(signal);
	}

	send(message: unknown, ...rest: unknown[]): boolean {
		return this.process.send(message, ...rest);
	}

	isDead(): boolean {
		return (this.process.exitCode ?? null) !== null || (this.process.signalCode ?? null) !== null;
	}

	isConnected(): boolean {
		return this.process.connected;
	}
}

export type Worker = ClusterWorker;

/** Creates the class of one program, to which it may add. */
export function workerClass(methods: Pick<Worker, 'disconnect' | 'destroy'> & ThisType<Worker>): typeof ClusterWorker {
	class Worker extends ClusterWorker {}
	Object.assign(Worker.prototype, methods);
	return callable(Worker);
}
