/** Lets programs clone events by `structuredClone`, as in Node. */
export function acceptEventsInClones(): void {
	const native = globalThis.structuredClone;
	const accepting = (...args: unknown[]): unknown => {
		const [value, ...options] = args;
		// The browser says what is missing.
		if (args.length === 0) return Reflect.apply(native, globalThis, args);
		return cloneWithEvents(value, (cloned) => Reflect.apply(native, globalThis, [cloned, ...options]) as unknown);
	};
	Object.defineProperty(accepting, 'length', { value: native.length, configurable: true });
	Reflect.set(globalThis, 'structuredClone', accepting);
}

/**
 * Clones a value by `clone`, events included. Node implements `Event` in JavaScript, so that its clone is a plain object
 * with the properties that the program has set; a browser refuses it.
 *
 * @throws DOMException `DataCloneError` for what cannot be cloned in Node either
 */
export function cloneWithEvents<Result>(value: unknown, clone: (value: unknown) => Result): Result {
	try {
		return clone(value);
	} catch (error) {
		if (!(error instanceof DOMException) || error.name !== 'DataCloneError') throw error;
		const copies = new Map<object, unknown>();
		const copy = withPlainEvents(value, copies);
		if (![...copies.keys()].some((original) => original instanceof Event)) throw error;
		return clone(copy);
	}
}

/** Copies the containers of a value, with plain objects in place of events. @param copies of each container so far */
function withPlainEvents(value: unknown, copies: Map<object, unknown>): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (copies.has(value)) return copies.get(value);
	const copied = (inner: unknown): unknown => withPlainEvents(inner, copies);
	if (Array.isArray(value)) {
		const list: unknown[] = [];
		copies.set(value, list);
		list.length = value.length;
		// By keys: a list may have gaps.
		for (const key of Object.keys(value)) Reflect.set(list, key, copied(Reflect.get(value, key)));
		return list;
	}
	if (value instanceof Map) {
		const map = new Map<unknown, unknown>();
		copies.set(value, map);
		for (const [key, inner] of value) map.set(copied(key), copied(inner));
		return map;
	}
	if (value instanceof Set) {
		const set = new Set<unknown>();
		copies.set(value, set);
		for (const inner of value) set.add(copied(inner));
		return set;
	}
	const prototype: unknown = Object.getPrototypeOf(value);
	if (!(value instanceof Event) && prototype !== Object.prototype && prototype !== null) return value;
	const plain = {};
	copies.set(value, plain);
	for (const key of Object.keys(value))
		// The browser's own property of each event.
		if (key !== 'isTrusted') Reflect.set(plain, key, copied(Reflect.get(value, key)));
	return plain;
}
