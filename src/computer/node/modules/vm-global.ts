/** Language globals, which every context has; host globals only exist in a context if it is given them. */
const INTRINSICS = new Set(
	(
		'Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp ' +
		'Error AggregateError EvalError RangeError ReferenceError SuppressedError SyntaxError TypeError URIError JSON Math ' +
		'Intl ArrayBuffer SharedArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array ' +
		'Float16Array Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set ' +
		'Iterator WeakMap WeakSet WeakRef Proxy Reflect FinalizationRegistry DisposableStack AsyncDisposableStack decodeURI ' +
		'decodeURIComponent encodeURI encodeURIComponent escape unescape isFinite isNaN console WebAssembly'
	).split(' ')
);

export const isIntrinsic = (name: string): boolean => INTRINSICS.has(name) && name in globalThis;

/**
 * Creates the `globalThis` of a `vm` context: the contextified object, with language globals behind its own properties.
 *
 * @param intrinsic returns a language global of this context
 */
export function contextGlobal(contextified: object, intrinsic: (name: string) => unknown): object {
	const isBehind = (target: object, key: PropertyKey): key is string =>
		typeof key === 'string' && !(key in target) && isIntrinsic(key);
	const global: object = new Proxy(contextified, {
		has: (target, key) => key in target || isBehind(target, key),
		get: (target, key): unknown => {
			if (key === 'globalThis' && !(key in target)) return global;
			return isBehind(target, key) ? intrinsic(key) : Reflect.get(target, key);
		},
		set: (target, key, value) => Reflect.set(target, key, value),
		getOwnPropertyDescriptor: (target, key) =>
			isBehind(target, key)
				? { value: intrinsic(key), writable: true, enumerable: false, configurable: true }
				: Reflect.getOwnPropertyDescriptor(target, key),
		ownKeys: (target) => {
			// A non-extensible object must not report additional keys.
			if (!Object.isExtensible(target)) return Reflect.ownKeys(target);
			return [...Reflect.ownKeys(target), ...[...INTRINSICS].filter((key) => isBehind(target, key))];
		}
	});
	return global;
}
