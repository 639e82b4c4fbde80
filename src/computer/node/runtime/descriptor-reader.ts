import { Buffer } from 'buffer';
import type { Readable, ReadableOptions } from 'node:stream';
import { isSyscallError, systemError } from './errors.ts';
import { Reference } from './reference.ts';
import type { Runtime } from './runtime.ts';

const CHUNK = 65_536;

/** Reads a descriptor into a stream: only on request, keeping the program alive while it waits. */
export class DescriptorReader {
	readonly options: ReadableOptions;
	readonly #runtime: Runtime;
	readonly #descriptor: number;
	readonly #reference: Reference;
	readonly #isTerminal: boolean;
	#stream: Readable | null = null;
	#hasStarted = false;
	#isReading = false;
	/** Set while the program is not reading. The stream itself would still read ahead. */
	#isResting = false;
	/** Set if the stream waits for a read that was abandoned, or not started. */
	#isOwed = false;

	constructor(runtime: Runtime, descriptor: number) {
		this.#runtime = runtime;
		this.#descriptor = descriptor;
		this.#reference = new Reference(runtime.loop);
		this.#isTerminal = runtime.sys.isTerminal(descriptor);
		this.options = { highWaterMark: CHUNK, emitClose: false, read: () => this.#begin() };
	}

	/** Attaches the stream; called by its constructor. */
	serve(stream: Readable): void {
		this.#stream = stream;
		const pause = stream.pause.bind(stream);
		const resume = stream.resume.bind(stream);
		const read = stream.read.bind(stream);
		stream.on('newListener', (event) => {
			if (event === 'readable') this.#wake();
		});
		Object.assign(stream, {
			fd: this.#descriptor,
			pause: () => {
				this.#rest();
				return pause();
			},
			resume: () => {
				this.#wake();
				return resume();
			},
			read: (size?: number) => {
				if (size !== 0) this.#wake();
				return read(size) as unknown;
			},
			ref: () => {
				if (this.#isReading) this.#reference.begin();
				this.#reference.ref();
				return stream;
			},
			unref: () => {
				this.#reference.unref();
				return stream;
			}
		});
	}

	#wake(): void {
		this.#isResting = false;
		if (this.#isReading) this.#reference.begin();
		else if (this.#isOwed) this.#begin();
	}

	#begin(): void {
		this.#isOwed = this.#isResting;
		if (this.#isReading || this.#isResting) return;
		this.#isReading = true;
		this.#reference.begin();
		void this.#fill();
	}

	/** A paused stdin does not keep Node alive, and leaves terminal input to the programs it starts. */
	#rest(): void {
		this.#isResting = true;
		this.#reference.end();
		if (this.#isReading && this.#isTerminal) this.#runtime.sys.endReads();
	}

	/**
	 * Reads available input, once, when the program starts: Node's loop checks its input before the first immediate,
	 * and programs that read it without waiting rely on that.
	 */
	#early(): Uint8Array | null {
		if (this.#hasStarted || this.#isTerminal) return null;
		this.#hasStarted = true;
		const { sys } = this.#runtime;
		const [state] = sys.poll([{ descriptor: this.#descriptor, reads: true, writes: false }], 0);
		return state?.readable ? sys.read(this.#descriptor, CHUNK) : null;
	}

	async #fill(): Promise<void> {
		const { loop } = this.#runtime;
		try {
			const early = this.#early();
			if (early) loop.arrive(() => this.#take(early));
			else {
				const bytes = await this.#runtime.async.read(this.#descriptor, CHUNK);
				loop.enter(() => this.#take(bytes));
			}
		} catch (error) {
			this.#isReading = false;
			this.#reference.end();
			if (isSyscallError(error) && error.code === 'EINTR') return this.#begin();
			const cause = isSyscallError(error) ? systemError(error.code, 'read') : (error as Error);
			loop.enter(() => void this.#stream?.destroy(cause));
		}
	}

	#take(bytes: Uint8Array): void {
		// Before `push`, which may immediately request the next read, and hold for it.
		this.#isReading = false;
		this.#reference.end();
		this.#stream?.push(bytes.length > 0 ? Buffer.from(bytes) : null);
	}
}
