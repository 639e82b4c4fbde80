import type { EventLoop } from './event-loop.ts';

/** Keeps a program alive during an operation, unless the program has called `unref`. */
export class Reference {
	#isWanted = true;
	#isUnderWay = false;
	#release: (() => void) | null = null;

	/** @param kind name of the operation in `process.getActiveResourcesInfo`; '' if it is not listed */
	constructor(
		private readonly loop: EventLoop,
		private readonly kind = ''
	) {}

	/** Starts the operation. */
	begin(): void {
		this.#isUnderWay = true;
		if (this.#isWanted) this.#release ??= this.loop.hold(this.kind);
	}

	/** Ends the operation, or abandons it. */
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
