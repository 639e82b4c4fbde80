import { inBashOrder } from './variables.ts';

const BUCKETS = 256;

/** Cache of command locations, so that PATH is not searched again; printed by `hash`. */
export class CommandHash {
	#found = new Map<string, { path: string; hits: number }>();
	/** The value of PATH that the places belong to. */
	#searched: string | undefined;

	/** Forgets everything where PATH is another than before. */
	follow(searchPath: string | undefined): void {
		if (searchPath !== this.#searched) this.#found.clear();
		this.#searched = searchPath;
	}

	get(name: string): string | undefined {
		return this.#found.get(name)?.path;
	}

	/** @param hits how often the command has run from there */
	set(name: string, path: string, hits: number): void {
		this.#found.set(name, { path, hits });
	}

	/** Counts a call of a command whose place is known. */
	hit(name: string): void {
		const entry = this.#found.get(name);
		if (entry) entry.hits++;
	}

	delete(name: string): boolean {
		return this.#found.delete(name);
	}

	clear(): void {
		this.#found.clear();
	}

	/** Entries in the order in which bash lists its table. */
	entries(): [name: string, { path: string; hits: number }][] {
		return inBashOrder(this.#found, BUCKETS);
	}

	fork(): CommandHash {
		const copy = new CommandHash();
		copy.#searched = this.#searched;
		for (const [name, entry] of this.#found) copy.#found.set(name, { ...entry });
		return copy;
	}
}
