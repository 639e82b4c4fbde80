/** Entry of a kind that the browser does not have, or does not let a program make. */
export interface OwnEntry {
	readonly name: string;
	readonly entryType: 'function' | 'resource';
	readonly startTime: number;
	readonly duration: number;
}

/** Entry about a call, as it is printed in Node. */
export class PerformanceNodeEntry implements OwnEntry {
	constructor(
		readonly name: string,
		readonly entryType: 'function',
		readonly startTime: number,
		readonly duration: number,
		readonly detail: unknown
	) {}
}

/** Kinds that programs may ask for; those of the browser are in its own timeline. */
export const OWN_TYPES = ['dns', 'function', 'gc', 'http', 'http2', 'net', 'resource'];

type Listener = (entry: OwnEntry) => void;

/** Entries that this program made, for its observers and its timeline. */
export class OwnEntries {
	readonly #listeners = new Set<Listener>();
	#resources: OwnEntry[] = [];

	/** Resources in the timeline. */
	get resources(): readonly OwnEntry[] {
		return this.#resources;
	}

	/** True if an observer would notice an entry. */
	get isObserved(): boolean {
		return this.#listeners.size > 0;
	}

	add(entry: OwnEntry): void {
		if (entry.entryType === 'resource') this.#resources.push(entry);
		for (const listener of this.#listeners) listener(entry);
	}

	clearResources(): void {
		this.#resources = [];
	}

	/** @returns a function that ends it */
	listen(listener: Listener): () => void {
		this.#listeners.add(listener);
		return () => void this.#listeners.delete(listener);
	}
}
