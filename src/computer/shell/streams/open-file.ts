import { concat } from '#computer/process/text.ts';

/** Source or destination of bytes: a pipe, a file, a terminal. */
export interface Stream {
	/** The kernel's descriptor, if it can be given to a child process directly. */
	readonly kernel?: number;
	/** Set if it is read-only. */
	readonly isInput?: boolean;
	/** Set if its contents are known, so that a child can be fed without waiting. */
	readonly isKnown?: boolean;
	/** Set for a named pipe: resolves when its other end is open, rejects if it is closed before. */
	readonly opened?: Promise<void>;
	/** Reads up to `max` bytes; waits for some; empty at the end. */
	read(max: number): Promise<Uint8Array>;
	/** @throws BrokenPipe if the reader is gone */
	write(bytes: Uint8Array): void | Promise<void>;
	/** Returns whether there is no reader left, if that is known without a write. */
	isBroken?(): boolean;
	/** Puts back what was read ahead when it is closed, for the next reader. */
	putBack?(bytes: Uint8Array): void;
	/** Opens a new descriptor for a child that writes to the same file; the caller closes it. */
	openForChild?(): number | null;
	close(): void;
}

/** The reader is gone: the writer ends silently, as by SIGPIPE. */
export class BrokenPipe extends Error {
	override readonly name = 'BrokenPipe';
}

/** Nothing more can be written; the message is POSIX's. */
export class WriteFailed extends Error {
	override readonly name = 'WriteFailed';
}

/** A descriptor was used in a way that it is not open for. */
export class BadDescriptor extends Error {
	override readonly name = 'BadDescriptor';
	constructor(message = 'Bad file descriptor') {
		super(message);
	}
}

/** Stream shared by several descriptors, closed with the last of them. Bytes read ahead can be put back. */
export class OpenFile {
	#references = 1;
	#returned: Uint8Array[] = [];
	/** Pending read that was given up before it completed. */
	#late: Promise<Uint8Array> | null = null;

	constructor(readonly stream: Stream) {}

	/** The kernel's descriptor for a child, unless bytes that were put back must be read first. */
	get kernel(): number | undefined {
		return this.#returned.length ? undefined : this.stream.kernel;
	}

	retain(): this {
		this.#references++;
		return this;
	}

	release(): void {
		if (--this.#references > 0) return;
		const { putBack } = this.stream;
		if (putBack && this.#returned.length > 0) putBack(this.takeUnread());
		this.stream.close();
	}

	async read(max: number): Promise<Uint8Array> {
		return (await this.readUnless(null, max)) ?? new Uint8Array();
	}

	/** The same; null as soon as `stop` resolves: bytes that arrive later are for the next reader. */
	async readUnless(stop: Promise<null> | null, max: number): Promise<Uint8Array | null> {
		const first = this.#returned.shift();
		if (first) return this.#upTo(max, first);
		const reading = this.#late ?? this.stream.read(max);
		this.#late = null;
		const bytes = stop ? await Promise.race([reading, stop]) : await reading;
		if (bytes !== null) return this.#upTo(max, bytes);
		reading.catch(() => undefined);
		this.#late = reading;
		return null;
	}

	/** Returns at most `max` bytes and puts back the rest. */
	#upTo(max: number, bytes: Uint8Array): Uint8Array {
		if (bytes.length <= max) return bytes;
		this.#returned.unshift(bytes.subarray(max));
		return bytes.subarray(0, max);
	}

	/** Takes the bytes that were read ahead and not used. */
	takeUnread(): Uint8Array {
		return concat(this.#returned.splice(0));
	}

	unread(bytes: Uint8Array): void {
		if (bytes.length) this.#returned.unshift(bytes);
	}

	write(bytes: Uint8Array): void | Promise<void> {
		return this.stream.write(bytes);
	}

	async readAll(): Promise<Uint8Array> {
		const pieces: Uint8Array[] = [];
		for (;;) {
			const piece = await this.read(65536);
			if (piece.length === 0) return concat(pieces);
			pieces.push(piece);
		}
	}

	/**
	 * Reads bytes up to and including `delimiter`; without it at the end or as soon as `stop` resolves; null if there
	 * is nothing more.
	 */
	async readUntil(delimiter: number, stop: Promise<null> | null = null): Promise<Uint8Array | null> {
		const pieces: Uint8Array[] = [];
		for (;;) {
			const piece = (await this.readUnless(stop, 4096)) ?? new Uint8Array();
			if (piece.length === 0) return pieces.length ? concat(pieces) : null;
			const at = piece.indexOf(delimiter);
			if (at >= 0) {
				this.unread(piece.subarray(at + 1));
				pieces.push(piece.subarray(0, at + 1));
				return concat(pieces);
			}
			pieces.push(piece);
		}
	}
}
