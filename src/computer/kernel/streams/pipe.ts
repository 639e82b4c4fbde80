import { PIPE_BYTES } from '#computer/abi/limits.ts';
import { errno } from '#computer/abi/errno.ts';
import type { StreamUser } from './stream-user.ts';
import { ByteQueue } from './byte-queue.ts';
import { Description } from './description.ts';
import { Watchers } from './watchers.ts';

interface WaitingReader {
	max: number;
	reader: StreamUser | null;
	resolve: (bytes: Uint8Array) => void;
	reject: (error: Error) => void;
}

interface WaitingWriter {
	bytes: Uint8Array;
	writer: StreamUser | null;
	resolve: () => void;
	reject: (error: Error) => void;
}

/**
 * A pipe of 64 KiB. Writers wait while it is full, readers while it is empty; operations of a dead process are dropped.
 */
export class Pipe {
	readonly reader = new PipeReader(this);
	readonly writer = new PipeWriter(this);
	#queue = new ByteQueue();
	#readers: WaitingReader[] = [];
	#writers: WaitingWriter[] = [];
	#noReader = false;
	#noWriter = false;
	#isCut = false;
	readonly watchers = new Watchers();

	read(max: number, reader: StreamUser | null): Uint8Array | Promise<Uint8Array> {
		if (this.#queue.size > 0) {
			const bytes = this.#queue.take(max);
			this.#admit();
			this.watchers.notify();
			return bytes;
		}
		if (this.#isCut) throw errno('ECONNRESET');
		if (this.#noWriter) return new Uint8Array(0);
		return new Promise((resolve, reject) => this.#readers.push({ max, reader, resolve, reject }));
	}

	write(bytes: Uint8Array, writer: StreamUser | null): void | Promise<void> {
		// As in Linux, writing nothing succeeds even without a reader.
		if (bytes.length === 0) return;
		if (this.#noReader) throw errno('EPIPE');
		if (this.#writers.length === 0 && this.#queue.size + bytes.length <= PIPE_BYTES) {
			this.#queue.add(bytes);
			this.#deliver();
			return this.watchers.notify();
		}
		return new Promise((resolve, reject) => {
			this.#writers.push({ bytes, writer, resolve, reject });
			this.#admit();
			this.watchers.notify();
		});
	}

	/** Drops unread bytes and fails reads, now and later. */
	cut(): void {
		this.#isCut = true;
		this.#queue = new ByteQueue();
		for (const { reject } of this.#readers.splice(0)) reject(errno('ECONNRESET'));
		this.watchers.notify();
	}

	/** Set if a read would return immediately, with bytes, the end or an error. */
	get isReadable(): boolean {
		return this.#queue.size > 0 || this.#isCut || this.#noWriter;
	}

	/** Number of bytes that a write would accept without waiting. Without a reader, any write fails immediately. */
	get room(): number {
		if (this.#noReader) return PIPE_BYTES;
		return this.#writers.length > 0 ? 0 : PIPE_BYTES - this.#queue.size;
	}

	/** Puts bytes back in front of the unread ones. @throws EINVAL if there are more than this pipe can hold */
	putBack(bytes: Uint8Array): void {
		// Writers may have filled the pipe since.
		if (this.#queue.size + bytes.length > 2 * PIPE_BYTES) throw errno('EINVAL');
		this.#queue.putBack(bytes);
		this.#deliver();
		this.watchers.notify();
	}

	/** Returns the available bytes without waiting. */
	drain(): Uint8Array {
		return this.#queue.take(this.#queue.size);
	}

	/** Ends the waiting reads of one reader, which get nothing: what arrives later is for the others. */
	stopReading(reader: StreamUser): void {
		const stopped = this.#readers.filter((waiting) => waiting.reader === reader);
		this.#readers = this.#readers.filter((waiting) => waiting.reader !== reader);
		for (const { resolve } of stopped) resolve(new Uint8Array(0));
	}

	/** Counts a new reader of a named pipe, the first one or another after the last was closed. */
	readerOpened(): void {
		this.#noReader = false;
	}

	/** Counts a new writer. */
	writerOpened(): void {
		this.#noWriter = false;
	}

	/** Closes the last reader. Unread bytes stay for the next reader of a named pipe as long as a writer is open. */
	readerClosed(): void {
		this.#noReader = true;
		if (this.#noWriter) this.#queue = new ByteQueue();
		for (const { resolve } of this.#readers.splice(0)) resolve(new Uint8Array(0));
		for (const { reject } of this.#writers.splice(0)) reject(errno('EPIPE'));
		this.watchers.notify();
	}

	writerClosed(): void {
		this.#noWriter = true;
		if (this.#noReader) this.#queue = new ByteQueue();
		this.#deliver();
		if (this.#queue.size === 0) for (const { resolve } of this.#readers.splice(0)) resolve(new Uint8Array(0));
		this.watchers.notify();
	}

	/** Continues waiting writers as far as there is room. */
	#admit(): void {
		for (let first = this.#writers[0]; first; first = this.#writers[0]) {
			if (first.writer?.ended) {
				this.#writers.shift();
				continue;
			}
			const room = PIPE_BYTES - this.#queue.size;
			if (room <= 0) break;
			this.#queue.add(first.bytes.subarray(0, room));
			if (first.bytes.length > room) first.bytes = first.bytes.subarray(room);
			else {
				this.#writers.shift();
				first.resolve();
			}
			this.#deliver();
		}
	}

	#deliver(): void {
		while (this.#queue.size > 0 && this.#readers.length > 0) {
			const waiting = this.#readers.shift()!;
			if (waiting.reader?.ended) continue;
			waiting.resolve(this.#queue.take(waiting.max));
		}
	}
}

class PipeReader extends Description {
	constructor(private readonly pipe: Pipe) {
		super();
	}
	override read(max: number, reader: StreamUser | null) {
		return this.pipe.read(max, reader);
	}
	override unread(bytes: Uint8Array): void {
		this.pipe.putBack(bytes);
	}
	override write(): never {
		throw errno('EBADF');
	}
	override readiness() {
		return { readable: this.pipe.isReadable, room: 0 };
	}
	override watch(caller: () => void) {
		return this.pipe.watchers.add(caller);
	}
	protected override closed(): void {
		this.pipe.readerClosed();
	}
}

class PipeWriter extends Description {
	constructor(private readonly pipe: Pipe) {
		super();
	}
	override read(): never {
		throw errno('EBADF');
	}
	override write(bytes: Uint8Array, writer: StreamUser | null) {
		return this.pipe.write(bytes, writer);
	}
	override readiness() {
		return { readable: false, room: this.pipe.room };
	}
	override watch(caller: () => void) {
		return this.pipe.watchers.add(caller);
	}
	protected override closed(): void {
		this.pipe.writerClosed();
	}
}
