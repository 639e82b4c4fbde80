import * as z from 'zod/mini';
import { defaultDeadlines } from '#llm/deadlines.ts';
import { readStored, writeStored } from '../settings/stored.ts';

/** Seconds of silence within an answer after which it is abandoned. */
export const Patience = z.int().check(z.minimum(10), z.maximum(3_600));

const STORED = 'sandglass:patience';

/** Time to wait for models that fall silent, stored in this browser. */
class ModelPatience {
	readonly #listeners = new Set<() => void>();

	get seconds(): number {
		return readStored(localStorage, STORED, Patience) ?? defaultDeadlines.silenceMs / 1_000;
	}

	set seconds(seconds: number) {
		writeStored(localStorage, STORED, seconds);
		for (const listener of this.#listeners) listener();
	}

	onChange(listener: () => void): void {
		this.#listeners.add(listener);
	}
}

export const patience = new ModelPatience();
