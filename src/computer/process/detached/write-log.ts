import type { LoggedCall, ToKernel } from '#computer/abi/wire.ts';

/** Maximum number of calls in a log before it is sent without waiting for the program to yield. */
const MAX_CALLS = 256;
const MAX_BYTES = 1024 * 1024;
const MAX_AGE_MS = 50;

/**
 * Operations of a process that the kernel does not know yet, in order. The log is sent when the program yields, before
 * any other message to the kernel, and regularly in between, so that a kill loses little.
 */
export class WriteLog {
	#calls: LoggedCall[] = [];
	#bytes = 0;
	#since = 0;
	#version = 0;

	constructor(private readonly post: (message: ToKernel) => void) {}

	/** Version under which the next log is sent. */
	get version(): number {
		return this.#version + 1;
	}

	add(call: LoggedCall): void {
		if (this.#calls.length === 0) {
			this.#since = Date.now();
			queueMicrotask(() => this.flush());
		}
		this.#calls.push(call);
		for (const arg of call.args) if (arg instanceof Uint8Array) this.#bytes += arg.length;
		const isOld = Date.now() - this.#since > MAX_AGE_MS;
		if (isOld || this.#calls.length >= MAX_CALLS || this.#bytes >= MAX_BYTES) this.flush();
	}

	flush(): void {
		if (this.#calls.length === 0) return;
		const calls = this.#calls;
		this.#calls = [];
		this.#bytes = 0;
		this.post({ kind: 'log', version: ++this.#version, calls });
	}
}
