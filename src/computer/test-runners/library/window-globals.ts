/** Globals of the language itself. A window made for tests may lack them, or have those of another realm. */
const LANGUAGE =
	'globalThis undefined NaN Infinity eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape ' +
	'Object Function Boolean Symbol Number BigInt Math Date String RegExp Array Map Set WeakMap WeakSet WeakRef FinalizationRegistry Promise Proxy Reflect JSON Atomics Intl Iterator Temporal ' +
	'AsyncDisposableStack DisposableStack SuppressedError Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError ' +
	'ArrayBuffer SharedArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array Float16Array Float32Array Float64Array WebAssembly';
/** Globals that the runner and Node need unchanged. */
const HOST =
	'console performance crypto process Buffer global require module fetch TextEncoder TextDecoder queueMicrotask atob btoa ' +
	'setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate';
const KEPT = new Set([...LANGUAGE.split(' '), ...HOST.split(' '), 'constructor']);
/** Names of the window itself: all of them refer to the global object. */
const ITSELF = ['window', 'self', 'top', 'parent', 'frames'];

/**
 * Copies the members of a window to the global object, so that test files run as scripts of that window.
 *
 * @param kept further names whose current values are preserved
 */
export function populateGlobals(window: object, kept: readonly string[] = []): void {
	const overrides = new Map<string, unknown>();
	for (const key of keysOf(window)) {
		if (ITSELF.includes(key) || ((KEPT.has(key) || kept.includes(key)) && key in globalThis)) continue;
		const bound = boundMethod(window, key);
		Object.defineProperty(globalThis, key, {
			get: () => (overrides.has(key) ? overrides.get(key) : (bound ?? (Reflect.get(window, key) as unknown))),
			set(value: unknown) {
				overrides.set(key, value);
				// `onerror` and similar handlers only work on the object on which events are dispatched.
				if (/^on[a-z]/.test(key)) Reflect.set(window, key, value);
			},
			configurable: true
		});
	}
	// jsdom recognizes its objects by symbols: with these, it treats the global object as the window.
	for (const key of Object.getOwnPropertySymbols(window)) {
		const descriptor = Object.getOwnPropertyDescriptor(window, key);
		if (descriptor && !Object.hasOwn(globalThis, key))
			Object.defineProperty(globalThis, key, { ...descriptor, configurable: true });
	}
	for (const key of ITSELF) {
		Object.defineProperty(globalThis, key, { value: globalThis, writable: true, configurable: true });
	}
	const document: unknown = Reflect.get(window, 'document');
	if (typeof document === 'object' && document !== null)
		Object.defineProperty(document, 'defaultView', { get: () => globalThis, enumerable: true, configurable: true });
}

function keysOf(window: object): Set<string> {
	const keys = new Set<string>();
	for (let from: object | null = window; from && from !== Object.prototype; from = Reflect.getPrototypeOf(from)) {
		for (const key of Object.getOwnPropertyNames(from)) keys.add(key);
	}
	return keys;
}

/**
 * Returns a method of the window that can be called on the global object, or on nothing; classes are returned
 * unchanged.
 */
function boundMethod(window: object, key: string): unknown {
	if (key[0] === key[0]?.toUpperCase()) return undefined;
	const value: unknown = Reflect.get(window, key);
	return typeof value === 'function' ? (value.bind(window) as unknown) : undefined;
}

interface ErrorEventLike {
	error?: unknown;
	preventDefault(): void;
}
type Listen = (type: string, ...rest: unknown[]) => unknown;

/**
 * Reports errors thrown by listeners, which a window passes to its `error` event, unless the tests listen to that
 * themselves. Error events without a listener are errors of the run.
 */
export function reportWindowErrors(window: object, report: (error: unknown) => void): void {
	const add = method(window, 'addEventListener');
	const remove = method(window, 'removeEventListener');
	if (!add || !remove) return;
	let listeners = 0;
	add('error', (event: ErrorEventLike) => {
		if (listeners > 0 || event.error === undefined || event.error === null) return;
		event.preventDefault();
		report(event.error);
	});
	Object.assign(window, {
		addEventListener: (type: string, ...rest: unknown[]) => {
			if (type === 'error') listeners++;
			return add(type, ...rest);
		},
		removeEventListener: (type: string, ...rest: unknown[]) => {
			if (type === 'error' && listeners > 0) listeners--;
			return remove(type, ...rest);
		}
	});
}

function method(window: object, key: string): Listen | null {
	const value: unknown = Reflect.get(window, key);
	return typeof value === 'function' ? (value.bind(window) as Listen) : null;
}
