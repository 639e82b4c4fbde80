import { createLook } from '#computer/abi/look.ts';

/** How long the kernel looks for the next call before it sleeps. Milliseconds. */
const LOOK_MS = 0.02;
/** How long the kernel sleeps at the door for the next call: programs mostly make one after another. Milliseconds. */
const PATIENCE_MS = 0.2;
/** How long it stays there at most before it hears what has come as a message: from the page, or from others. Milliseconds. */
const TURN_MS = 1;
/** Promises that a call has settled, and those that hang on them, have run after so many steps. */
const STEPS = 8;

/** One who calls at the door: the synchronous calls of a process. */
export interface Caller {
	/** Tells the process whether the kernel stands at the door, so that it rings and posts no message. */
	expect(isExpected: boolean): void;
	/** Whether messages of the process are on their way, which have to be heard before its next call. */
	hasPosted(): boolean;
	/** Answers the request that stands in shared memory, unless something posted comes first. */
	answer(): void;
}

/**
 * Where processes ring for a synchronous call while the kernel is near. After a call it sleeps here for a moment before
 * it goes back to its messages: to be rung for takes less than half of what a message takes.
 *
 * All processes have the memory and may write into it. What they write is no more than a ring: the kernel looks who
 * called in their own memories, and leaves after {@link TURN_MS} whoever rings.
 */
export class Doorbell {
	/** A counter of rings. */
	readonly memory = new SharedArrayBuffer(4);
	readonly #rings = new Int32Array(this.memory);
	readonly #callers = new Set<Caller>();
	/** At the door, or back at the messages until those that waited meanwhile were heard. */
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

	/** Answers the call of `first`, which came as a message, and for a while those that follow. */
	async attend(first: Caller): Promise<void> {
		if (this.#isAway) return first.answer();
		this.#isAway = true;
		const end = performance.now() + TURN_MS;
		const callers = [...this.#callers];
		for (const caller of callers) caller.expect(true);
		do {
			const rings = Atomics.load(this.#rings, 0);
			for (const caller of callers) caller.answer();
			// Who waits for what a call has done is answered by a promise.
			for (let step = 0; step < STEPS; step++) await undefined;
			if (callers.some((caller) => caller.hasPosted())) break;
			if (this.#look(() => Atomics.load(this.#rings, 0) !== rings)) continue;
			if (Atomics.wait(this.#rings, 0, rings, PATIENCE_MS) === 'timed-out') break;
		} while (performance.now() < end);
		for (const caller of callers) caller.expect(false);
		// They may have rung while they were still expected.
		for (const caller of callers) caller.answer();
		this.#messages.port2.postMessage(null);
	}
}
