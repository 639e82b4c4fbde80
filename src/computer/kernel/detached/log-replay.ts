import { isSyscallName } from '#computer/abi/call-names.ts';
import { describeError } from '#computer/abi/reply-codec.ts';
import { CHANGING } from '#computer/volume/changing-calls.ts';
import type { SpawnOptions, SyscallName } from '#computer/abi/syscalls.ts';
import type { ToProcess } from '#computer/abi/wire.ts';
import { checkArguments } from '#computer/abi/arguments.ts';
import { childOf } from '../calls/process-calls.ts';
import type { Handlers } from '../calls/handler.ts';
import { errno } from '#computer/abi/errno.ts';
import type { VolumeChange } from '#computer/abi/volume-change.ts';
import type { Computer } from '../computer.ts';
import type { Process } from '../processes/process.ts';
import { isOwnDescriptor } from './start.ts';

/** Calls whose results are descriptors. */
const OPENING: ReadonlySet<SyscallName> = new Set(['pipe', 'socketPair', 'openFile']);

/** Keeps a process's copy of the volume and the kernel's volume in sync, as far as messages can. */
export class LogReplay {
	#applied = 0;
	#changes: VolumeChange[] = [];
	#scheduled = false;
	/** Set during a call from the process's own log: its copy already has this change. */
	#isOwn = false;
	/** Pending writes that wait for their readers, by descriptor. */
	#writing = new Map<number, Promise<void>>();

	constructor(
		private readonly computer: Computer,
		private readonly process: Process,
		private readonly handlers: Handlers,
		private readonly post: (message: ToProcess) => void
	) {
		computer.volume.observers.add(this.#observe);
	}

	/** The process has ended, and everything it sent has arrived. */
	close(): void {
		this.computer.volume.observers.delete(this.#observe);
	}

	/**
	 * Repeats the operations of the process in order. Operations that fail here, because other changes came first, are
	 * reported on its stderr.
	 */
	replay(version: unknown, calls: unknown): void {
		if (!Number.isSafeInteger(version) || Number(version) !== this.#applied + 1 || !Array.isArray(calls)) return;
		for (const call of calls as unknown[]) {
			if (typeof call !== 'object' || call === null) continue;
			const { name, args, as } = call as Record<string, unknown>;
			if (!isSyscallName(name)) continue;
			// After its end, only changes it had already made to files count.
			if (this.process.ended && !Object.hasOwn(CHANGING, name)) continue;
			try {
				checkArguments(name, args);
				this.#call(name, args, Array.isArray(as) ? as : []);
			} catch (error) {
				this.#complain(name, error);
			}
		}
		this.#applied = Number(version);
		this.#schedule();
	}

	/** Sends the changes others made so far: before any other message to the process. */
	flush(): void {
		if (this.process.ended) return;
		const changes = this.#changes.map((change) => (change.bytes ? { ...change, bytes: change.bytes.slice() } : change));
		this.#changes = [];
		// Scheduled by each change and by each part of the log: the version number also confirms that part.
		if (this.#scheduled) this.post({ kind: 'changes', applied: this.#applied, changes });
		this.#scheduled = false;
	}

	/** Makes a call that the process waits for, after the logged ones: writes to one descriptor stay in order. */
	inOrder(name: SyscallName, args: unknown[], call: () => unknown): unknown {
		if (name === 'exit' || name === 'replace') return this.written().then(call);
		const before = name === 'write' || name === 'close' ? this.#writing.get(Number(args[0])) : undefined;
		return before ? before.then(call) : call();
	}

	/** Resolves when all written output has been consumed. */
	async written(): Promise<void> {
		await Promise.all(this.#writing.values());
	}

	#call(name: SyscallName, args: unknown[], as: unknown[]): void {
		const { process } = this;
		if (name === 'spawn') return this.#spawn(args[0] as SpawnOptions, as[0]);
		if (OPENING.has(name)) {
			if (!as.every((number) => isOwnDescriptor(process, number))) throw errno('EMFILE');
		}
		if (name === 'write')
			return this.#after(Number(args[0]), () => this.handlers.write(process, Number(args[0]), bytesOf(args[1])));
		if (name === 'close') return this.#after(Number(args[0]), () => process.close(Number(args[0])));
		if (name === 'exit') {
			void this.written().then(() => this.handlers.exit(process, Number(args[0])));
			return;
		}
		this.#isOwn = Object.hasOwn(CHANGING, name);
		try {
			// The arguments were checked against the call's signature; TypeScript cannot follow that through the union.
			const handler = this.handlers[name] as (process: Process, ...args: unknown[]) => unknown;
			const result = handler(process, ...args);
			if (OPENING.has(name)) this.#number(result, as as number[]);
		} finally {
			this.#isOwn = false;
		}
	}

	/** Gives descriptors and pids opened by a call the numbers the process knows them by. */
	#number(result: unknown, as: number[]): void {
		const made = typeof result === 'number' ? [result] : Object.values(result as Record<string, number>);
		made.forEach((number, index) => {
			this.process.open(this.process.descriptor(number), as[index]);
			this.process.close(number);
		});
	}

	#spawn(options: SpawnOptions, pid: unknown): void {
		if (!this.computer.table.mayNumber(this.process, pid)) throw errno('EAGAIN');
		this.computer.spawn({ ...childOf(this.process, options), pid });
	}

	/**
	 * Runs `act` after pending writes: writes to one descriptor, and its close, stay in order while a reader is behind.
	 */
	#after(descriptor: number, act: () => void | Promise<void>): void {
		const before = this.#writing.get(descriptor);
		const run = async (): Promise<void> => {
			await before;
			try {
				await act();
			} catch (error) {
				if (describeError(error).code !== 'EPIPE') return this.#complain('write', error);
				// The reader is gone, and the call could not report it to the program.
				if (!this.process.ended) this.computer.table.kill(this.process.pid, 'SIGPIPE');
			}
		};
		const done = run().then(() => {
			if (this.#writing.get(descriptor) === done) this.#writing.delete(descriptor);
		});
		this.#writing.set(descriptor, done);
	}

	#observe = (change: VolumeChange): void => {
		if (this.#isOwn || this.process.ended) return;
		const last = this.#changes.at(-1);
		if (last?.kind === 'write' && change.kind === 'write' && last.path === change.path) this.#changes.pop();
		this.#changes.push(change);
		this.#schedule();
	};

	#schedule(): void {
		if (this.#scheduled) return;
		this.#scheduled = true;
		queueMicrotask(() => this.#scheduled && this.flush());
	}

	#complain(name: string, error: unknown): void {
		if (this.process.ended) return;
		const { code, message } = describeError(error);
		const text = `${this.process.argv[0] ?? 'process'}: ${name} came too late: ${code}: ${message}\n`;
		void Promise.resolve()
			.then(() => this.process.descriptor(2).write(new TextEncoder().encode(text), this.process))
			.catch(() => {
				// Its stderr is closed as well.
			});
	}
}

const bytesOf = (value: unknown): Uint8Array => (value instanceof Uint8Array ? value : new Uint8Array(0));
