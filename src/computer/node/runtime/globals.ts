import { ProgramsBuffer } from '../modules/buffer/index.ts';
import type { Runtime } from './runtime.ts';
import { fillInSubtle } from '../modules/crypto/web/subtle.ts';
import { holdBrowserStreams } from './browser-streams.ts';
import { giveNodesAborts } from './web-aborts.ts';
import { acceptNodesMessages } from './web-bodies.ts';
import { acceptEventsInClones } from './web-clones.ts';
import { installConsumers } from './web-consumers.ts';
import { giveNodesErrors } from './web-errors.ts';
import { installWebInspect } from './web-inspect.ts';
import { invalidArgument } from './errors.ts';
import { installNavigator } from './navigator.ts';
import { NODE_GLOBALS, OWN_NAME } from './node-globals.ts';
import { followObjectUrls } from './object-urls.ts';

/** Promises of the browser's own work that keep a program alive, as in Node. */
const HELD: [holder: () => object | undefined, names: string[]][] = [
	[
		() => globalThis.crypto?.subtle,
		[
			'digest',
			'sign',
			'verify',
			'encrypt',
			'decrypt',
			'generateKey',
			'importKey',
			'exportKey',
			'deriveBits',
			'deriveKey'
		]
	],
	[() => globalThis.WebAssembly, ['compile', 'instantiate', 'compileStreaming', 'instantiateStreaming']],
	[() => globalThis.Blob?.prototype, ['arrayBuffer', 'text', 'bytes']]
];

/** Globals that are enumerable in Node; test runners look for leaks there. */
const ENUMERABLE = new Set([
	'global',
	'clearImmediate',
	'setImmediate',
	'clearInterval',
	'clearTimeout',
	'setInterval',
	'setTimeout',
	'queueMicrotask',
	'structuredClone',
	'atob',
	'btoa',
	'navigator',
	'performance',
	'fetch',
	'crypto'
]);

/** Global functions that Node calls on any receiver, but a browser only on its global object. */
const RECEIVER_CHECKED = ['atob', 'btoa', 'structuredClone'];

/** Turns the worker's global scope into Node's. Called once, before any of the program's code. */
export function installGlobals(runtime: Runtime, values: Record<string, unknown>): void {
	fillInSubtle();
	for (const [holder, names] of HELD) holdPromises(runtime, holder(), names);
	const hold = <Result>(promise: Promise<Result>) => runtime.loop.holdWhile(promise);
	holdBrowserStreams(hold);
	installConsumers(hold);
	giveNodesAborts(runtime.timers);
	ownInherited();
	hideBrowsers();
	Object.defineProperty(globalThis, Symbol.toStringTag, { value: 'global', configurable: true });
	acceptEventsInClones();
	followObjectUrls();
	for (const name of RECEIVER_CHECKED) acceptAnyReceiver(name);
	acceptNodesMessages();
	installWebInspect();
	giveNodesErrors();
	installNavigator();
	const { timers } = runtime;
	const promisified = Symbol.for('nodejs.util.promisify.custom');
	Object.assign(timers.setTimeout, {
		[promisified]: (ms?: number, value?: unknown) => new Promise((resolve) => timers.setTimeout(resolve, ms, value))
	});
	Object.assign(timers.setImmediate, {
		[promisified]: (value?: unknown) => new Promise((resolve) => timers.setImmediate(resolve, value))
	});
	define({
		process: runtime.process,
		Buffer: ProgramsBuffer,
		global: globalThis,
		setTimeout: timers.setTimeout,
		setInterval: timers.setInterval,
		setImmediate: timers.setImmediate,
		clearTimeout: timers.clearTimeout,
		clearInterval: timers.clearInterval,
		clearImmediate: timers.clearImmediate,
		queueMicrotask: microtasks(runtime),
		...values
	});
}

/** `queueMicrotask`, whose callbacks preserve the asynchronous context. */
function microtasks({ loop }: Runtime): (callback: unknown) => void {
	const queue = globalThis.queueMicrotask.bind(globalThis);
	return function queueMicrotask(callback) {
		if (typeof callback !== 'function') throw invalidArgument('callback', 'of type function', callback);
		const bound = loop.bind(callback as () => unknown);
		queue(() => void bound());
	};
}

function define(values: Record<string, unknown>): void {
	for (const [name, value] of Object.entries(values)) {
		Object.defineProperty(globalThis, name, {
			value,
			writable: true,
			configurable: true,
			enumerable: ENUMERABLE.has(name)
		});
	}
}

/**
 * Hides globals that only exist in browsers: libraries detect a browser by them, and jsdom treats what it finds as the
 * language's. Inherited ones, such as `addEventListener`, are shadowed.
 */
function hideBrowsers(): void {
	for (const name of Object.getOwnPropertyNames(globalThis))
		if (!NODE_GLOBALS.has(name) && !name.startsWith(OWN_NAME)) hide(name);
	for (const name in globalThis) {
		if (Object.hasOwn(globalThis, name) || ENUMERABLE.has(name)) continue;
		Object.defineProperty(globalThis, name, {
			value: undefined,
			writable: true,
			configurable: true,
			enumerable: false
		});
	}
}

function hide(name: string): void {
	for (let holder: object | null = globalThis; holder; holder = Reflect.getPrototypeOf(holder)) {
		if (Object.hasOwn(holder, name) && !Reflect.deleteProperty(holder, name)) {
			Reflect.set(globalThis, name, undefined);
		}
	}
}

/**
 * Turns inherited globals of the worker, such as `performance` and `crypto`, into own properties, as in Node. The
 * browser refuses to read them on another object with the same prototype, which test environments create.
 */
function ownInherited(): void {
	const above = Reflect.getPrototypeOf(globalThis);
	for (let from = above; from && from !== Object.prototype; from = Reflect.getPrototypeOf(from)) {
		if (from === globalThis.EventTarget?.prototype) return;
		for (const name of Object.getOwnPropertyNames(from)) {
			const described = Object.getOwnPropertyDescriptor(from, name);
			const { get, set, configurable, enumerable } = described ?? {};
			if (!get || !configurable || Object.hasOwn(globalThis, name)) continue;
			Object.defineProperty(globalThis, name, {
				get: () => Reflect.apply(get, globalThis, []) as unknown,
				set: (value: unknown) => {
					if (set) Reflect.apply(set, globalThis, [value]);
					else Object.defineProperty(globalThis, name, { value, writable: true, configurable, enumerable });
				},
				configurable,
				enumerable
			});
			Reflect.deleteProperty(from, name);
		}
	}
}

/** Supports libraries that call it as a method, or with their own object as the global scope. */
function acceptAnyReceiver(name: string): void {
	const original: unknown = Reflect.get(globalThis, name);
	if (typeof original !== 'function') return;
	const { [name]: method } = {
		[name]: (...args: unknown[]): unknown => Reflect.apply(original, globalThis, args)
	};
	if (method) {
		Object.defineProperty(method, 'length', { value: original.length, configurable: true });
		Reflect.set(globalThis, name, method);
	}
}

function holdPromises(runtime: Runtime, holder: object | undefined, names: string[]): void {
	for (const name of holder ? names : []) {
		const original: unknown = Reflect.get(holder ?? {}, name);
		if (typeof original !== 'function') continue;
		const held = function (this: unknown, ...args: unknown[]): unknown {
			const result: unknown = Reflect.apply(original, this, args);
			if (result instanceof Promise)
				void runtime.loop.holdWhile(result).catch(() => {
					// The program has the same promise, and handles its rejection.
				});
			return result;
		};
		Object.defineProperty(held, 'name', { value: name });
		Object.defineProperty(holder, name, { value: held, writable: true, configurable: true });
	}
}
