import { SyscallError, type SyncSyscalls } from '#computer/abi/client.ts';

const FULL_BYTES = 65536;

/** Merges a program's writes into few calls. */
export class OutputBuffer {
	#pieces: Uint8Array[] = [];
	#size = 0;
	#descriptor: 1 | 2 = 1;
	#broken = false;

	constructor(
		private readonly calls: SyncSyscalls,
		/** Reverts the rewriting of paths, on whole lines. */
		private readonly restore: ((bytes: Uint8Array) => Uint8Array) | null = null
	) {}

	/** Returns false once the reader is gone. */
	write(descriptor: 1 | 2, bytes: Uint8Array): boolean {
		if (descriptor !== this.#descriptor) this.flush();
		this.#descriptor = descriptor;
		this.#pieces.push(bytes.slice());
		this.#size += bytes.length;
		if (this.#size < FULL_BYTES) return !this.#broken;
		// Only whole lines while more follows, so that no rewritten path is split.
		return this.restore && !bytes.includes(10) ? true : this.flush(this.restore !== null);
	}

	/** @param linesOnly keeps what follows the last newline in the buffer */
	flush(linesOnly = false): boolean {
		const whole = new Uint8Array(this.#size);
		let at = 0;
		for (const piece of this.#pieces) {
			whole.set(piece, at);
			at += piece.length;
		}
		const end = linesOnly ? whole.lastIndexOf(10) + 1 : whole.length;
		this.#pieces = end < whole.length ? [whole.slice(end)] : [];
		this.#size = whole.length - end;
		const ready = whole.subarray(0, end);
		if (end === 0 || this.#broken) return !this.#broken;
		try {
			this.calls.write(this.#descriptor, this.restore ? this.restore(ready) : ready);
		} catch (error) {
			if (!(error instanceof SyscallError) || error.code !== 'EPIPE') throw error;
			this.#broken = true;
		}
		return !this.#broken;
	}
}
