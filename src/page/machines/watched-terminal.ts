import type { Terminal, TerminalSize } from '#environment/contract.ts';

/** Time without output after which a terminal's command has probably ended. */
const SILENCE_MS = 400;

/** Terminal that reports when it has printed something and then become silent. */
export class WatchedTerminal implements Terminal {
	readonly exited: Promise<number>;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(
		private readonly inner: Terminal,
		private readonly onSilent: () => void
	) {
		this.exited = inner.exited;
		void this.exited.then(() => clearTimeout(this.#timer));
	}

	write(data: string): void {
		this.inner.write(data);
	}

	resize(size: TerminalSize): void {
		this.inner.resize(size);
	}

	onData(listener: (data: string) => unknown): () => void {
		return this.inner.onData((data) => {
			clearTimeout(this.#timer);
			this.#timer = setTimeout(this.onSilent, SILENCE_MS);
			return listener(data);
		});
	}

	close(): Promise<void> {
		clearTimeout(this.#timer);
		return this.inner.close();
	}
}
