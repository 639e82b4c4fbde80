import type { StoredSession } from '../../session/contract.ts';

/** How long after a change it is written. Milliseconds. */
const DELAY_MS = 300;

/**
 * A small value of the page that survives a reload: written a moment after it changed, and at once
 * when the page is hidden or left. The store may be too slow for a page that goes, so what is not
 * written then also waits in the tab's own storage.
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
		addEventListener('pagehide', this.#pageGoes);
		document.addEventListener('visibilitychange', this.flush);
	}

	async read(): Promise<T | undefined> {
		const late = sessionStorage.getItem(this.#lateKey);
		if (late !== null) {
			sessionStorage.removeItem(this.#lateKey);
			await this.#stored.writePageState(this.#key, JSON.parse(late));
		}
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

	get #lateKey(): string {
		return `sandglass:${this.#stored.summary.id}:${this.#key}`;
	}

	readonly #pageGoes = (): void => {
		if (this.#timer === null || !this.#stored.writable) return;
		try {
			sessionStorage.setItem(this.#lateKey, JSON.stringify(this.#value()));
		} catch (error) {
			this.#onFailure(error);
		}
		this.flush();
	};

	/** Writes what is left and lets go. */
	leave(): void {
		this.flush();
		removeEventListener('pagehide', this.#pageGoes);
		document.removeEventListener('visibilitychange', this.flush);
	}
}
