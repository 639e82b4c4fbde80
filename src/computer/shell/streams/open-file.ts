import { concat } from '#computer/process/text.ts';

/** Source or destination of bytes: a pipe, a file, a terminal. */
export interface Stream {
	/** The kernel's descriptor, when a child process can be given it as it is. */
	readonly kernel?: number;
	/** Set if it is only read. */
	readonly isInput?: boolean;
	/** Set if its contents are known, so that a child can be fed without waiting. */
	readonly isKnown?: boolean;
	/** Set for a named pipe: its other end is open then. Rejected when it is closed before. */
	readonly opened?: Promise<void>;
	/** Up to `max` bytes; waits for some; empty at the end. */
	read(max: number): Promise<Uint8Array>;
	/** @throws BrokenPipe if the reader is gone */
	write(bytes: Uint8Array): void | Promise<void>;
	/** Returns whether no one can read what is written any more, where that is known without a write. */
	isBroken?(): boolean;
	/** Puts back what was read too far when it is closed, for whatever reads next. */
	putBack?(bytes: Uint8Array): void;
	/** A new descriptor for a child that writes to the same file; the caller closes it. */
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

/** A descriptor was used for what it is not open for. */
export class BadDescriptor extends Error {
	override readonly name = 'BadDescriptor';
	constructor(message = 'Bad file descriptor') {
		super(message);
	}
}

/** A stream several descriptors share, closed with the last of them. Bytes read too far can be put back. */
export class OpenFile {
	#references = 1;
	#returned: Uint8Array[] = [];
	/** A read that was given up before it had its bytes. */
	#late: Promise<Uint8Array> | null = null;

	constructor(readonly stream: Stream) {}

	/** The kernel's descriptor for a child, unless bytes put back must come first. */
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

	/** The same; null as soon as `stop` resolves: what arrives later is for the next reader. */
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

	/** Puts back what is more than `max` bytes. */
	#upTo(max: number, bytes: Uint8Array): Uint8Array {
		if (bytes.length <= max) return bytes;
		this.#returned.unshift(bytes.subarray(max));
		return bytes.subarray(0, max);
	}

	/** Takes the bytes that were read too far and have had no reader. */
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
	 * Bytes up to and with `delimiter`; without it at the end or as soon as `stop` resolves; null when there is nothing
	 * more.
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
