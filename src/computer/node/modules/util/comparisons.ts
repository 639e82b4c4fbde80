/** `util.isDeepStrictEqual` and the loose comparison of `assert.deepEqual`. */
export function isDeepEqual(left: unknown, right: unknown, strict: boolean): boolean {
	return equal(left, right, strict, []);
}

type Pairs = [unknown, unknown][];

function equal(a: unknown, b: unknown, strict: boolean, seen: Pairs): boolean {
	if (strict ? Object.is(a, b) : a === b) return true;
	if (!isObject(a) || !isObject(b)) {
		if (strict || isObject(a) || isObject(b)) return false;

		return a == b || (a !== a && b !== b);
	}
	if (strict && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
	const tag = tagOf(a);
	if (tag !== tagOf(b)) return false;
	if (Array.isArray(a) !== Array.isArray(b)) return false;
	if (seen.some(([x, y]) => x === a && y === b)) return true;
	const next: Pairs = [...seen, [a, b]];
	return sameContent(a, b, strict, next) && sameKeys(a, b, strict, next);
}

function sameContent(a: object, b: object, strict: boolean, seen: Pairs): boolean {
	if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime());
	if (a instanceof RegExp && b instanceof RegExp) {
		return a.source === b.source && a.flags === b.flags && a.lastIndex === b.lastIndex;
	}
	if (a instanceof Error || b instanceof Error) {
		if (!(a instanceof Error && b instanceof Error)) return false;
		if (a.message !== b.message || a.name !== b.name) return false;
		if ('cause' in a !== 'cause' in b || !equal(a.cause, b.cause, strict, seen)) return false;
		return !(a instanceof AggregateError && b instanceof AggregateError) || equal(a.errors, b.errors, strict, seen);
	}
	if (isBoxed(a) || isBoxed(b)) return isBoxed(a) && isBoxed(b) && Object.is(a.valueOf(), b.valueOf());
	if (a instanceof Set && b instanceof Set) return sameSet(a, b, strict, seen);
	if (a instanceof Map && b instanceof Map) return sameMap(a, b, strict, seen);
	if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) return sameView(a, b, strict);
	if (isMemory(a) && isMemory(b)) return sameView(new Uint8Array(a), new Uint8Array(b), true);
	if (a instanceof WeakMap || a instanceof WeakSet || a instanceof Promise) return a === b;
	return true;
}

function sameKeys(a: object, b: object, strict: boolean, seen: Pairs): boolean {
	if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) return sameNamedKeys(a, b, strict, seen);
	if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false;
	const [keys, others] = [ownKeys(a, strict), ownKeys(b, strict)];
	if (keys.length !== others.length) return false;
	return keys.every(
		(key) =>
			Object.prototype.propertyIsEnumerable.call(b, key) &&
			equal(Reflect.get(a, key), Reflect.get(b, key), strict, seen)
	);
}

/**
 * Maximum size of views whose additional properties are compared, too: listing all keys of larger ones takes too long.
 */
const MOST_LISTED = 65_536;

/** Compares additional properties of views. */
function sameNamedKeys(a: ArrayBufferView, b: ArrayBufferView, strict: boolean, seen: Pairs): boolean {
	if (a.byteLength > MOST_LISTED) return true;
	const named = (view: object) => ownKeys(view, strict).filter((key) => typeof key === 'symbol' || !/^\d+$/.test(key));
	const [keys, others] = [named(a), named(b)];
	return (
		keys.length === others.length &&
		keys.every((key) => Object.hasOwn(b, key) && equal(Reflect.get(a, key), Reflect.get(b, key), strict, seen))
	);
}

function ownKeys(value: object, strict: boolean): (string | symbol)[] {
	const symbols = strict
		? Object.getOwnPropertySymbols(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key))
		: [];
	return [...Object.keys(value), ...symbols];
}

function sameSet(a: Set<unknown>, b: Set<unknown>, strict: boolean, seen: Pairs): boolean {
	if (a.size !== b.size) return false;
	const rest = [...b].filter((value) => !a.has(value));
	for (const value of a) {
		if (b.has(value)) continue;
		if (strict && !isObject(value)) return false;
		const at = rest.findIndex((other) => equal(value, other, strict, seen));
		if (at < 0) return false;
		rest.splice(at, 1);
	}
	return true;
}

function sameMap(a: Map<unknown, unknown>, b: Map<unknown, unknown>, strict: boolean, seen: Pairs): boolean {
	if (a.size !== b.size) return false;
	const rest = [...b].filter(([key]) => !a.has(key));
	for (const [key, value] of a) {
		if (b.has(key)) {
			if (!equal(value, b.get(key), strict, seen)) return false;
			continue;
		}
		const at = rest.findIndex(
			([other, mapped]) => equal(key, other, strict, seen) && equal(value, mapped, strict, seen)
		);
		if (at < 0) return false;
		rest.splice(at, 1);
	}
	return true;
}

function sameView(a: ArrayBufferView, b: ArrayBufferView, strict: boolean): boolean {
	if (a.byteLength !== b.byteLength) return false;
	if (!strict && (a instanceof Float32Array || a instanceof Float64Array)) {
		const other = b as Float64Array;
		return [...a].every((value, index) => value === other[index]);
	}
	const [x, y] = [bytes(a), bytes(b)];
	return x.every((value, index) => value === y[index]);
}

const isMemory = (value: object): value is ArrayBuffer =>
	value instanceof ArrayBuffer || (typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer);
const bytes = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
const tagOf = (value: object) => Object.prototype.toString.call(value);
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isBoxed = (value: object) =>
	/^\[object (Number|String|Boolean|Symbol|BigInt)\]$/.test(tagOf(value)) && !hasOwnTag(value);
/** Returns whether an object only imitates the tag. */
const hasOwnTag = (value: object) => Object.hasOwn(value, Symbol.toStringTag);
