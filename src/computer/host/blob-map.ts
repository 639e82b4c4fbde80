/** Number of hexadecimal digits of an id that make a small integer. */
const DIGITS = 7;

const keyOf = (id: string): number => Number.parseInt(id.slice(0, DIGITS), 16);

/**
 * Map with blob ids as keys, in insertion order. Internally its keys are numbers: strings used as keys of a map are
 * interned by the page's engine, which visits all of them whenever it collects garbage.
 */
export class BlobMap<Value> {
	readonly #byKey: Map<number, { id: string; value: Value }>;
	/** Ids with the same number as another one: very rare unless constructed. */
	readonly #others: Map<string, Value>;

	constructor(from?: BlobMap<Value>) {
		this.#byKey = new Map(from ? from.#byKey : []);
		this.#others = new Map(from ? from.#others : []);
	}

	get(id: string): Value | undefined {
		const found = this.#byKey.get(keyOf(id));
		return found?.id === id ? found.value : this.#others.get(id);
	}

	/** Setting an existing id moves it to the end. */
	set(id: string, value: Value): void {
		this.delete(id);
		const key = keyOf(id);
		if (this.#byKey.has(key)) this.#others.set(id, value);
		else this.#byKey.set(key, { id, value });
	}

	delete(id: string): void {
		const key = keyOf(id);
		if (this.#byKey.get(key)?.id === id) this.#byKey.delete(key);
		else this.#others.delete(id);
	}

	*[Symbol.iterator](): Iterator<[id: string, value: Value]> {
		for (const { id, value } of this.#byKey.values()) yield [id, value];
		yield* this.#others;
	}
}
