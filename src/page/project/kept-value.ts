import type { StoredSession } from '../../session/contract.ts';

/** How long after a change it is written. Milliseconds. */
const DELAY_MS = 300;

/**
 * A small value of the page that survives a reload: written a moment after it changed, and at once
 * when the page is hidden or left.
 */
export class KeptValue<T> {
	readonly #stored: StoredSession;
	readonly #key: string;
	readonly #value: () => T;
	readonly #onFailure: (error: unknown) => void;
	#timer: ReturnType<typeof setTimeout> | null = null;

	/** @param value read when it is time to write */
	constructor(stored: StoredSession, key: string, value: () => T, onFailure: (error: unknown) => void) {
		this.#stored = stored;
		this.#key = key;
		this.#value = value;
		this.#onFailure = onFailure;
		addEventListener('pagehide', this.flush);
		document.addEventListener('visibilitychange', this.flush);
	}

	read(): Promise<T | undefined> {
		return this.#stored.readPageState<T>(this.#key);
	}

	/** It changed. */
	touch(): void {
		this.#timer ??= setTimeout(this.flush, DELAY_MS);
	}

	/** Writes what was not written yet. */
	readonly flush = (): void => {
		if (this.#timer === null) return;
		clearTimeout(this.#timer);
		this.#timer = null;
		this.#stored.writePageState(this.#key, this.#value()).catch(this.#onFailure);
	};

	/** Writes what is left and lets go. */
	leave(): void {
		this.flush();
		removeEventListener('pagehide', this.flush);
		document.removeEventListener('visibilitychange', this.flush);
	}
}
