import type { StoredSession } from '#session/contract.ts';

/** Delay in milliseconds before a change is stored. */
const DELAY_MS = 300;

/**
 * A small value of the page that survives a reload: written shortly after it changed, and at once when the page is
 * hidden or left. The store may be too slow for a page that is being closed, so unacknowledged writes are also put into
 * sessionStorage.
 */
export class StoredValue<T> {
	readonly #stored: StoredSession;
	readonly #key: string;
	readonly #value: () => T;
	readonly #onFailure: (error: unknown) => void;
	#timer: ReturnType<typeof setTimeout> | null = null;
	/** Writes that the store has not acknowledged. */
	#underWay = 0;

	/** @param value returns the value when it is written */
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
		if (late === null) return this.#stored.readPageState<T>(this.#key);
		const value = JSON.parse(late) as T;
		const written = this.#stored.writePageState(this.#key, value);
		written.then(() => sessionStorage.removeItem(this.#lateKey), this.#onFailure);
		return value;
	}

	/** Marks the value as changed. */
	touch(): void {
		this.#timer ??= setTimeout(this.flush, DELAY_MS);
	}

	/** Writes pending changes. */
	readonly flush = (): void => {
		if (this.#timer === null) return;
		clearTimeout(this.#timer);
		this.#timer = null;
		this.#underWay++;
		this.#stored
			.writePageState(this.#key, this.#value())
			.catch(this.#onFailure)
			.finally(() => this.#underWay--);
	};

	get #lateKey(): string {
		return `sandglass:${this.#stored.summary.id}:${this.#key}`;
	}

	readonly #pageGoes = (): void => {
		if ((this.#timer === null && this.#underWay === 0) || !this.#stored.writable) return;
		try {
			sessionStorage.setItem(this.#lateKey, JSON.stringify(this.#value()));
		} catch (error) {
			this.#onFailure(error);
		}
		this.flush();
	};

	/** Writes pending changes and releases resources. */
	leave(): void {
		this.flush();
		removeEventListener('pagehide', this.#pageGoes);
		document.removeEventListener('visibilitychange', this.flush);
	}
}
