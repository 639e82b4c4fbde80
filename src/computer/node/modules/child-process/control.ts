import { EventEmitter } from '../events.ts';

/**
 * `process.channel`, and that of a child. Users of the channel are counted: it keeps the program alive while there are
 * any, unless the program itself decides with `ref` or `unref`.
 */
export class Control extends EventEmitter {
	readonly #handle: { ref(): void; unref(): void };
	#users = 0;
	#isDecided = false;

	constructor(handle: { ref(): void; unref(): void }) {
		super();
		this.#handle = handle;
	}

	refCounted(): void {
		if (++this.#users === 1 && !this.#isDecided) this.#handle.ref();
	}

	unrefCounted(): void {
		if (--this.#users !== 0 || this.#isDecided) return;
		this.#handle.unref();
		this.emit('unref');
	}

	ref(): void {
		this.#isDecided = true;
		this.#handle.ref();
	}

	unref(): void {
		this.#isDecided = true;
		this.#handle.unref();
	}
}
