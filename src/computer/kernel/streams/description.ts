import { PIPE_BYTES } from '#computer/abi/limits.ts';
import type { Readiness } from '#computer/abi/syscalls.ts';
import type { StreamUser } from './stream-user.ts';
import type { Terminal } from './terminal.ts';

/** Open file description: shared by all descriptors created from it, in any process, and reference-counted. */
export abstract class Description {
	#holders = 0;

	/** Reads up to `max` bytes for `reader`, empty at the end. Waits while there are none. */
	abstract read(max: number, reader: StreamUser): Uint8Array | Promise<Uint8Array>;
	/** Puts back the bytes last read, for the next reader. Ignored by terminals and devices. */
	unread(_bytes: Uint8Array): void {}
	/** Accepts all of `bytes`. Waits while the other side is behind. */
	abstract write(bytes: Uint8Array, writer: StreamUser): void | Promise<void>;
	/** Reports operations that would not wait now. Files, devices and terminals are always ready. */
	readiness(): Readiness {
		return { readable: true, room: PIPE_BYTES };
	}

	/** Calls back whenever the readiness may have changed. @returns function that stops it */
	watch(_caller: () => void): () => void {
		return () => {};
	}

	/** Called when a process has closed its last descriptor, while others may hold some: its own waiting calls end. */
	left(_process: StreamUser): void {}

	/** Called when the last reference is gone. */
	protected abstract closed(): void;

	get terminal(): Terminal | null {
		return null;
	}

	retain(): this {
		this.#holders++;
		return this;
	}

	release(): void {
		if (--this.#holders === 0) this.closed();
	}
}

/** `/dev/null`: nothing to read, nowhere to write. */
export class NullDescription extends Description {
	override read(): Uint8Array {
		return new Uint8Array(0);
	}
	override write(): void {}
	protected override closed(): void {}
}
