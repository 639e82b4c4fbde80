import * as z from 'zod/mini';
import { readStored, writeStored } from './stored.ts';

const Key = z.object({ key: z.string(), baseUrl: z.optional(z.string()) });
const Keys = z.record(z.string(), Key);
export type OwnKey = z.infer<typeof Key>;

const STORED = 'sandglass:own-keys';

/** The user's own keys: stored in this tab, or in the browser if the user chose that. */
class OwnKeys {
	readonly #listeners = new Set<() => void>();

	/** Keys by provider. */
	all(): Record<string, OwnKey> {
		return { ...this.#of(localStorage), ...this.#of(sessionStorage) };
	}

	isKept(provider: string): boolean {
		return provider in this.#of(localStorage);
	}

	/** @param keep whether to keep it after the tab is closed */
	set(provider: string, value: OwnKey, keep: boolean): void {
		this.#take(provider);
		const storage = keep ? localStorage : sessionStorage;
		writeStored(storage, STORED, { ...this.#of(storage), [provider]: value });
		this.#changed();
	}

	remove(provider: string): void {
		this.#take(provider);
		this.#changed();
	}

	onChange(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	#of(storage: Storage): Record<string, OwnKey> {
		return readStored(storage, STORED, Keys) ?? {};
	}

	#take(provider: string): void {
		for (const storage of [localStorage, sessionStorage]) {
			const { [provider]: _gone, ...rest } = this.#of(storage);
			writeStored(storage, STORED, Object.keys(rest).length > 0 ? rest : null);
		}
	}

	#changed(): void {
		for (const listener of this.#listeners) listener();
	}
}

export const ownKeys = new OwnKeys();
