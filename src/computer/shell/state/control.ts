import type { SignalName } from '#computer/abi/syscalls.ts';

/** `break` or `continue`, thrown to its loop. */
export class LoopJump extends Error {
	constructor(
		readonly kind: 'break' | 'continue',
		public levels: number,
		/** Exit status of the loop. */
		readonly status = 0
	) {
		super(kind);
	}
}

/** `return`, thrown to its function or sourced file. */
export class ReturnJump extends Error {
	constructor(readonly status: number) {
		super('return');
	}
}

/** End of the shell (or subshell): `exit`, `set -e`, a fatal expansion error. */
export class ExitJump extends Error {
	constructor(readonly status: number) {
		super('exit');
	}
}

/** Abort of the command line: Ctrl-C, `kill` of a job, a deadline. */
export class Interrupted extends Error {
	constructor(readonly status: number) {
		super('interrupted');
	}
}

/** Discards the rest of the current line after an expansion error; the script continues with the next. */
export class LineJump extends Error {
	constructor(readonly status: number) {
		super('line');
	}
}

/**
 * Error with a message for stderr; the command ends with `status`. `fatal` ends a shell that is not interactive, `line`
 * discards the line of the script.
 */
export class ShellError extends Error {
	constructor(
		message: string,
		readonly status = 1,
		readonly fatal: boolean | 'line' = false
	) {
		super(message);
	}
}

/** Invalid expression as an index: the message does not name a command, and the line ends. */
export class IndexFailed extends ShellError {}

/** Index that an array cannot have, or an empty key. */
export class BadSubscript extends ShellError {
	constructor(place: string) {
		super(`${place}: bad array subscript`, 1, 'line');
	}
}

const SLICE_MS = 12;

const channel = new MessageChannel();
const tasks: (() => void)[] = [];
channel.port1.onmessage = () => tasks.shift()?.();

/** Waits for the next turn of the event loop, without the delay browsers add to repeated timers. */
export function nextTask(): Promise<void> {
	return new Promise((resolve) => {
		tasks.push(resolve);
		channel.port2.postMessage(0);
	});
}

/** Allows stopping a running command line, and lets others run meanwhile. One per job. */
export class Control {
	#status: number | null = null;
	#children: Set<Control> | null = null;
	#listeners = new Set<(signal: SignalName) => void>();
	#sliceStart = performance.now();

	constructor(
		readonly parent?: Control,
		/** Checks shared memory for signals whose messages cannot arrive while the shell computes. */
		private readonly signalled: () => boolean = () => false
	) {}

	fork(): Control {
		const child = new Control(this, this.signalled);
		child.#status = this.#status;
		(this.#children ??= new Set()).add(child);
		return child;
	}

	/** Drops a forked control that has ended. */
	end(): void {
		if (this.parent) this.parent.#children?.delete(this);
	}

	get stopped(): boolean {
		return this.#status !== null || this.signalled();
	}

	/**
	 * @param status exit status of the command line: 130 for Ctrl-C, 143 for SIGTERM
	 * @param signal signal for the programs that it has started
	 */
	stop(status: number, signal: SignalName = 'SIGTERM'): void {
		this.#status ??= status;
		for (const listener of [...this.#listeners]) listener(signal);
		for (const child of this.#children ?? []) child.stop(status, signal);
	}

	reset(): void {
		this.#status = null;
	}

	/** @throws Interrupted */
	check(): void {
		if (this.#status !== null) throw new Interrupted(this.#status);
	}

	/** Called between two commands: stops if requested, and regularly lets messages in. */
	async yieldIfDue(): Promise<void> {
		this.check();
		if (!this.signalled() && performance.now() - this.#sliceStart < SLICE_MS) return;
		// A signal seen in shared memory arrives as a message as soon as the shell yields.
		for (let turns = 0; turns === 0 || (this.signalled() && turns < 100); turns++) await nextTask();
		this.#sliceStart = performance.now();
		this.check();
	}

	/** Resolves with the result of `work`, or rejects with Interrupted as soon as this is stopped. */
	async race<Value>(work: Promise<Value>): Promise<Value> {
		this.check();
		let listener = () => {};
		const stopped = new Promise<never>((_resolve, reject) => {
			listener = () => reject(new Interrupted(this.#status ?? 130));
			this.#listeners.add(listener);
		});
		work.catch(() => undefined);
		try {
			return await Promise.race([work, stopped]);
		} finally {
			this.#listeners.delete(listener);
			this.#sliceStart = performance.now();
		}
	}

	/** Runs `listener` when this is stopped. Returns the unsubscriber. */
	onStop(listener: (signal: SignalName) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}
}
