import { REPLY_BYTES } from '#computer/abi/limits.ts';
import { basename } from '#computer/abi/paths.ts';
import { UTILITIES } from '#computer/abi/utilities.ts';
import { HEADER_BYTES, type StartMessage } from '#computer/abi/wire.ts';
import { CallServer } from './calls/call-server.ts';
import type { Doorbell } from './calls/doorbell.ts';
import type { Handlers } from './calls/handler.ts';
import { createHandlers } from './calls/handlers.ts';
import { zoneCalls } from './calls/zone-calls.ts';
import type { Computer } from './computer.ts';
import { errno } from '#computer/abi/errno.ts';
import type { Volume } from '#computer/volume/volume.ts';
import type { Outside } from './outside.ts';
import { findCommand, programsOfTheirOwn } from '#computer/volume/find-command.ts';
import type { Image, Process } from './processes/process.ts';
import { LogReplay } from './detached/log-replay.ts';
import { detachedStart } from './detached/start.ts';
import { PreparedMemories } from './processes/prepared-memories.ts';
import { type NewProcess, ProcessTable } from './processes/table.ts';
import type { WorkerPool } from './processes/worker-pool.ts';
import { DatagramPorts } from './sockets/datagram-ports.ts';
import { Ports } from './sockets/ports.ts';
import { SocketFiles } from './sockets/socket-files.ts';
import { FileLocks } from './streams/file-locks.ts';
import { NamedPipes } from './streams/named-pipe.ts';

/** Time limits for the start of a worker: the first one, and its replacement. */
const BEGINNING_MS = [2_000, 20_000];
/** Time limit for the last log of an ended process. */
const ARRIVAL_MS = 1_000;

type Beginning = Pick<NewProcess, 'channel' | 'onStart'>;

/** One computer: a volume and its processes. An overlay is a second one in the same kernel. */
export class KernelComputer implements Computer {
	readonly namedPipes: NamedPipes;
	readonly fileLocks: FileLocks;
	readonly table: ProcessTable;
	readonly ports: Ports;
	readonly datagramPorts = new DatagramPorts();
	readonly socketFiles: SocketFiles;
	readonly commands: string[];
	readonly prepared = new PreparedMemories();
	/** Absent in snapshot mode. */
	readonly #generation: SharedArrayBuffer | null;
	#handlers: Handlers;
	static #last = 0;

	/**
	 * @param programs command → program
	 * @param doorbell `null` in snapshot mode, where no memory is shared
	 */
	constructor(
		readonly volume: Volume,
		readonly programs: ReadonlyMap<string, string>,
		readonly pool: WorkerPool,
		readonly outside: Outside,
		readonly doorbell: Doorbell | null,
		{ table = new ProcessTable(), ports = new Ports() }: { table?: ProcessTable; ports?: Ports } = {}
	) {
		this.namedPipes = new NamedPipes(volume);
		this.fileLocks = new FileLocks(volume);
		this.socketFiles = new SocketFiles(volume);
		this.table = table;
		this.ports = ports;
		this.commands = programsOfTheirOwn(programs);
		this.#generation = doorbell && new SharedArrayBuffer(8);
		if (this.#generation) {
			const counter = new Int32Array(this.#generation);
			counter[0] = volume.mutations;
			counter[1] = ++KernelComputer.#last;
			volume.onMutation = () => void Atomics.store(counter, 0, volume.mutations);
		}
		const handlers = createHandlers(this);
		// A detached process has its files from the start and cannot wait for the time zones.
		this.#handlers = doorbell ? zoneCalls(handlers, this) : handlers;
	}

	/**
	 * Starts a process. It exists immediately; its worker may still have to be created.
	 * @throws ENOENT, EACCES, EAGAIN, ENOTDIR
	 */
	spawn(options: NewProcess): Process {
		const { program, argv } = this.#find(options);
		const process = this.table.add({ ...options, argv });
		void this.#start(process, program, options);
		return process;
	}

	replace(process: Process, image: Image): void {
		const { program, argv } = this.#find(image);
		this.table.replace(process, { ...image, argv });
		void this.#start(process, program, image);
	}

	/** Finds the program of an image, and its arguments. @throws ENOENT, EACCES, ENOTDIR */
	#find({ argv: given, cwd, env, name }: Image): { program: string; argv: string[] } {
		if (this.volume.stat(cwd).kind !== 'directory') throw errno('ENOTDIR', cwd);
		const { program, argv } = findCommand(this.volume, this.programs, given, cwd, env['PATH']);
		const [looked = '', ...rest] = argv;
		// The utilities program selects the command by `argv[0]`.
		const isNamed = name !== undefined && looked === given[0] && !UTILITIES.has(basename(looked));
		return { program, argv: isNamed ? [name, ...rest] : argv };
	}

	async #start(process: Process, program: string, options: Image & Beginning, attempt = 0): Promise<void> {
		const { channel = null, onStart = () => {} } = options;
		let worker: Worker | null;
		try {
			worker = await this.pool.take(program, process, attempt > 0);
		} catch (error) {
			return this.#crashed(process, `${program} could not be loaded: ${String(error)}`);
		}
		if (!worker) return;
		if (process.ended) return this.#abandon(worker);
		const { port1, port2 } = new MessageChannel();
		const memory = this.#generation && new SharedArrayBuffer(HEADER_BYTES + REPLY_BYTES);
		// Browsers sometimes create a worker that never runs. A channel was already transferred to it, though.
		const late = setTimeout(
			() => {
				this.#abandon(worker);
				server.close();
				if (attempt > 0 || channel) this.#crashed(process, 'its worker does not begin');
				else if (!process.ended) void this.#start(process, program, options, attempt + 1);
			},
			BEGINNING_MS[channel ? 1 : attempt]
		);
		const server = new CallServer(process, this.#handlers, this.outside, port1, memory, this.doorbell, () => {
			clearTimeout(late);
			this.pool.began(worker);
			onStart();
		});
		process.worker = {
			signal: (name, newest) => server.signal(name, newest),
			terminate: () => {
				clearTimeout(late);
				// A caught signal may still be on its way as a message.
				if (memory && server.isDone && process.caught.size === 0) this.pool.giveBack(program, worker);
				else this.#abandon(worker);
				if (!server.replay) return server.close();
				// Messages with what it has written so far are still on their way.
				setTimeout(() => {
					server.replay?.close();
					server.close();
				}, ARRIVAL_MS);
			}
		};
		worker.onerror = (event) => {
			event.preventDefault();
			this.#crashed(process, event.message || 'its worker could not be started');
		};
		const { pid, parent, argv, cwd, env, umask } = process;
		const descriptors = (options.descriptors ?? []).map(([number]) => number);
		const own = { pid, parent, argv, cwd, env, umask, ignored: [...process.ignored] };
		const common = { type: 'start' as const, ...own, port: port2, channel, descriptors };
		const ports = channel ? [port2, channel] : [port2];
		if (memory && this.#generation && this.doorbell) {
			const prepared = (process.prepared ??= this.prepared.of(process.rights));
			const shared = { memory, generation: this.#generation, prepared, bell: this.doorbell.memory };
			const start: StartMessage = { ...common, ...shared };
			return worker.postMessage(start, ports);
		}
		const snapshot = detachedStart(this, process);
		server.replay = new LogReplay(this, process, this.#handlers, (message) => server.post(message));
		const start: StartMessage = { ...common, snapshot };
		worker.postMessage(start, [...ports, snapshot.volume.bytes]);
	}

	#abandon(worker: Worker): void {
		worker.terminate();
		this.pool.began(worker);
	}

	/** Ends a process whose worker failed, and reports the reason on its stderr. */
	#crashed(process: Process, reason: string): void {
		if (process.ended) return;
		const text = `${process.argv[0] ?? 'process'}: ${reason}\n`;
		void Promise.resolve()
			.then(() => process.descriptor(2).write(new TextEncoder().encode(text), process))
			.catch(() => {
				// Its stderr is closed; the exit code shows the failure.
			});
		queueMicrotask(() => this.table.end(process, { code: 1, signal: null }));
	}
}
