import type { EventLoop } from './event-loop.ts';

/** Keeps a program alive while something of it is under way, unless the program has said that this shall not. */
export class Reference {
	#isWanted = true;
	#isUnderWay = false;
	#release: (() => void) | null = null;

	constructor(private readonly loop: EventLoop) {}

	/** It is under way. */
	begin(): void {
		this.#isUnderWay = true;
		if (this.#isWanted) this.#release ??= this.loop.hold();
	}

	/** It is done, or nobody waits for it any more. */
	end(): void {
		this.#isUnderWay = false;
		this.#let();
	}

	ref(): void {
		this.#isWanted = true;
		if (this.#isUnderWay) this.begin();
	}

	unref(): void {
		this.#isWanted = false;
		this.#let();
	}

	#let(): void {
		this.#release?.();
		this.#release = null;
	}
}
