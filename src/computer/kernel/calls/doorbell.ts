import { createLook } from '#computer/abi/look.ts';

/** Time the kernel spins for the next call before it sleeps. Milliseconds. */
const LOOK_MS = 0.02;
/**
 * Time the kernel sleeps on the doorbell waiting for the next call: programs often make several calls in a row.
 * Milliseconds.
 */
const PATIENCE_MS = 0.2;
/** Maximum time before the kernel handles messages from the page or from other processes. Milliseconds. */
const TURN_MS = 1;
/** After this many steps, the promises settled by a call and those chained to them have run. */
const STEPS = 8;

/** A process that makes synchronous calls. */
export interface Caller {
	/**
	 * Notifies the process whether the kernel waits at the doorbell, so that it rings instead of posting a message.
	 */
	expect(isExpected: boolean): void;
	/** Returns true if messages of the process are pending, which must be handled before its next call. */
	hasPosted(): boolean;
	/** Answers the request in shared memory, unless a posted message comes first. */
	answer(): void;
}

/**
 * Shared memory in which processes signal a synchronous call while the kernel waits for it. After a call the
 * kernel sleeps here for a moment before it returns to its messages: this wake-up takes less than half the time
 * of a message.
 *
 * All processes have access to the memory and may write into it. Such a write is only a wake-up: the kernel
 * looks for the caller in the processes' own memories, and leaves after {@link TURN_MS} regardless.
 */
export class Doorbell {
	/** A counter of rings. */
	readonly memory = new SharedArrayBuffer(4);
	readonly #rings = new Int32Array(this.memory);
	readonly #callers = new Set<Caller>();
	/** Set while waiting at the doorbell, or handling the messages that arrived meanwhile. */
	#isAway = false;
	readonly #look = createLook(LOOK_MS);
	readonly #messages = new MessageChannel();

	constructor() {
		this.#messages.port1.onmessage = () => void (this.#isAway = false);
	}

	add(caller: Caller): void {
		this.#callers.add(caller);
	}

	remove(caller: Caller): void {
		this.#callers.delete(caller);
	}

	/** Answers the call of `first`, which came as a message, then for a while the calls that follow. */
	async attend(first: Caller): Promise<void> {
		if (this.#isAway) return first.answer();
		this.#isAway = true;
		const end = performance.now() + TURN_MS;
		const callers = [...this.#callers];
		for (const caller of callers) caller.expect(true);
		do {
			const rings = Atomics.load(this.#rings, 0);
			for (const caller of callers) caller.answer();
			// Waiters for the effects of a call are answered by promises.
			for (let step = 0; step < STEPS; step++) await undefined;
			if (callers.some((caller) => caller.hasPosted())) break;
			if (this.#look(() => Atomics.load(this.#rings, 0) !== rings)) continue;
			if (Atomics.wait(this.#rings, 0, rings, PATIENCE_MS) === 'timed-out') break;
		} while (performance.now() < end);
		for (const caller of callers) caller.expect(false);
		// They may have rung while they were still expected to.
		for (const caller of callers) caller.answer();
		this.#messages.port2.postMessage(null);
	}
}
