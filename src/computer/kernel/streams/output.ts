import { UNREAD_OUTPUT_BYTES } from '#computer/abi/limits.ts';

/** Size limit of one message: the page's work for it must stay short. */
const PIECE_BYTES = 64 * 1024;

/**
 * Stream to the page: standard output of a command, or the display of a terminal. The page acknowledges what it has
 * consumed.
 */
export class Output {
	#unread = 0;
	#abandoned = false;
	#waiting: (() => void)[] = [];

	constructor(private readonly send: (bytes: Uint8Array) => void) {}

	/** Waits while the page is more than {@link UNREAD_OUTPUT_BYTES} behind. */
	write(bytes: Uint8Array): void | Promise<void> {
		if (bytes.length === 0 || this.#abandoned) return;
		this.#unread += bytes.length;
		for (let at = 0; at < bytes.length; at += PIECE_BYTES) this.send(bytes.subarray(at, at + PIECE_BYTES));
		if (this.#unread > UNREAD_OUTPUT_BYTES) return new Promise((resolve) => this.#waiting.push(resolve));
	}

	/** The page has consumed `count` bytes. */
	taken(count: number): void {
		this.#unread = Math.max(0, this.#unread - count);
		if (this.#unread <= UNREAD_OUTPUT_BYTES) this.#letGo();
	}

	/** The page no longer reads it. Further writes are dropped. */
	abandon(): void {
		this.#abandoned = true;
		this.#letGo();
	}

	#letGo(): void {
		for (const resolve of this.#waiting.splice(0)) resolve();
	}
}
