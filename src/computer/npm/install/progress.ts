import type { ProcessContext } from '#computer/process/program.ts';

const EVERY_MS = 80;

/** Progress line on a terminal's stderr; nothing otherwise. */
export class Progress {
	#shownMs = -Infinity;
	readonly #isShown: boolean;

	constructor(
		private readonly context: ProcessContext,
		silent: boolean
	) {
		this.#isShown = !silent && context.sync.isTerminal(2);
	}

	show(text: string): void {
		if (!this.#isShown || performance.now() - this.#shownMs < EVERY_MS) return;
		this.#shownMs = performance.now();
		this.#write(`\r\x1b[K${text}`);
	}

	clear(): void {
		if (this.#isShown && this.#shownMs > 0) this.#write('\r\x1b[K');
		this.#shownMs = -Infinity;
	}

	#write(text: string): void {
		this.context.sync.write(2, new TextEncoder().encode(text));
	}
}
