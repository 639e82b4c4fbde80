import { type AsyncSyscalls, SyscallError } from '#computer/abi/client.ts';
import { BrokenPipe, type Stream, WriteFailed } from './open-file.ts';
import { concat } from '#computer/process/text.ts';

const HIGH_WATER = 65536;

/**
 * Descriptors 0, 1 and 2 of the shell. Writes are sent immediately and are merged while one is in flight; one queue for
 * both outputs preserves their order on a terminal.
 */
export class StandardStreams {
	#queue: { descriptor: number; bytes: Uint8Array }[] = [];
	#queued = 0;
	#draining: Promise<void> | null = null;
	#broken = new Set<number>();
	#reading: Promise<Uint8Array> | null = null;
	readonly input: Stream;
	readonly output: Stream;
	readonly error: Stream;

	constructor(private readonly calls: AsyncSyscalls) {
		this.input = this.#stream(0);
		this.output = this.#stream(1);
		this.error = this.#stream(2);
	}

	/** Stream for a descriptor above 2 that the shell inherited. Writes to it are ordered with all others. */
	inherited(descriptor: number): Stream {
		let isWritable = false;
		return {
			...this.#stream(descriptor),
			read: (max) => this.calls.read(descriptor, max),
			// The first write shows whether it is writable.
			write: (bytes) => {
				if (isWritable || bytes.length === 0) return this.#write(descriptor, bytes);
				return this.#writeFirst(descriptor, bytes).then(() => void (isWritable = true));
			},
			close: () => void this.flush().then(() => this.calls.close(descriptor))
		};
	}

	async #writeFirst(descriptor: number, bytes: Uint8Array): Promise<void> {
		await this.flush();
		try {
			await this.calls.write(descriptor, bytes);
		} catch (error) {
			if (!(error instanceof SyscallError)) throw error;
			if (error.code === 'EBADF') throw new WriteFailed('Bad file descriptor');
			this.#broken.add(descriptor);
			throw new BrokenPipe();
		}
	}

	/** Resolves when the kernel has accepted everything written. */
	async flush(): Promise<void> {
		while (this.#draining) await this.#draining;
	}

	#stream(descriptor: number): Stream {
		return {
			kernel: descriptor,
			read: (max) => this.#read(descriptor, max),
			write: (bytes) => this.#write(descriptor, bytes),
			close: () => {}
		};
	}

	/** An abandoned read (Ctrl-C) continues in the kernel: the next reader gets its result. */
	async #read(descriptor: number, max: number): Promise<Uint8Array> {
		this.#reading ??= this.calls.read(descriptor, max);
		const reading = this.#reading;
		try {
			return await reading;
		} finally {
			if (this.#reading === reading) this.#reading = null;
		}
	}

	#write(descriptor: number, bytes: Uint8Array): void | Promise<void> {
		if (this.#broken.has(descriptor)) throw new BrokenPipe();
		if (bytes.length === 0) return;
		this.#queue.push({ descriptor, bytes });
		this.#queued += bytes.length;
		this.#draining ??= this.#drain();
		return this.#queued > HIGH_WATER ? this.flush() : undefined;
	}

	async #drain(): Promise<void> {
		try {
			for (let next = this.#take(); next; next = this.#take()) {
				const { descriptor, bytes } = next;
				try {
					await this.calls.write(descriptor, bytes);
				} catch {
					// The reader is gone: the next write to it reports that to its command.
					this.#broken.add(descriptor);
				}
			}
		} finally {
			this.#draining = null;
		}
	}

	/** Takes the next consecutive bytes for one descriptor. */
	#take(): { descriptor: number; bytes: Uint8Array } | null {
		const descriptor = this.#queue[0]?.descriptor;
		if (descriptor === undefined) return null;
		const end = this.#queue.findIndex((entry) => entry.descriptor !== descriptor);
		const run = this.#queue.splice(0, end < 0 ? this.#queue.length : end);
		const bytes = concat(run.map((entry) => entry.bytes));
		this.#queued -= bytes.length;
		return { descriptor, bytes };
	}
}

/** One end of a kernel pipe, owned by the shell. */
export function kernelEnd(calls: AsyncSyscalls, descriptor: number): Stream {
	return {
		kernel: descriptor,
		read: (max) => calls.read(descriptor, max),
		async write(bytes) {
			try {
				await calls.write(descriptor, bytes);
			} catch {
				throw new BrokenPipe();
			}
		},
		close: () => void calls.close(descriptor).catch(() => undefined)
	};
}
