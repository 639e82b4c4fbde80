import { inBashOrder } from './variables.ts';

const BUCKETS = 256;

/** Cache of command locations, so that PATH is not searched again; printed by `hash`. */
export class CommandHash {
	#found = new Map<string, { path: string; hits: number }>();
	/** Value of PATH to which the cached locations belong. */
	#searched: string | undefined;

	/** Clears the cache if PATH has changed. */
	follow(searchPath: string | undefined): void {
		if (searchPath !== this.#searched) this.#found.clear();
		this.#searched = searchPath;
	}

	get(name: string): string | undefined {
		return this.#found.get(name)?.path;
	}

	/** @param hits number of times the command was run from there */
	set(name: string, path: string, hits: number): void {
		this.#found.set(name, { path, hits });
	}

	/** Counts a call of a command whose location is cached. */
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

	/** Entries in bash's order of its table. */
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
