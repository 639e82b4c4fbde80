/** Prefix of names that the loader's own code uses in a program's scope. */
export const OWN_NAME = '__sandglass_';

/** Own properties of the global object in Node 22, including those of the language in its V8. */
export const NODE_GLOBALS: ReadonlySet<string> = new Set(
	(
		'AbortController AbortSignal AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array ' +
		'BigUint64Array Blob Boolean BroadcastChannel Buffer ByteLengthQueuingStrategy CompressionStream ' +
		'CountQueuingStrategy Crypto CryptoKey CustomEvent DOMException DataView Date DecompressionStream ' +
		'Error EvalError Event EventTarget File FinalizationRegistry Float32Array Float64Array FormData ' +
		'Function Headers Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math MessageChannel ' +
		'MessageEvent MessagePort NaN Navigator Number Object Performance PerformanceEntry PerformanceMark ' +
		'PerformanceMeasure PerformanceObserver PerformanceObserverEntryList PerformanceResourceTiming ' +
		'Promise Proxy RangeError ReadableByteStreamController ReadableStream ReadableStreamBYOBReader ' +
		'ReadableStreamBYOBRequest ReadableStreamDefaultController ReadableStreamDefaultReader ReferenceError ' +
		'Reflect RegExp Request Response Set SharedArrayBuffer String SubtleCrypto Symbol SyntaxError ' +
		'TextDecoder TextDecoderStream TextEncoder TextEncoderStream TransformStream ' +
		'TransformStreamDefaultController TypeError URIError URL URLSearchParams Uint16Array Uint32Array ' +
		'Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly WebSocket WritableStream ' +
		'WritableStreamDefaultController WritableStreamDefaultWriter atob btoa clearImmediate clearInterval ' +
		'clearTimeout console crypto decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval ' +
		'fetch global globalThis isFinite isNaN navigator parseFloat parseInt performance process ' +
		'queueMicrotask setImmediate setInterval setTimeout structuredClone undefined unescape'
	).split(' ')
);
