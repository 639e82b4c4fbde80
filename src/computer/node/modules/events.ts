import EventEmitter from 'events';
import { inspect } from 'node-inspect-extracted';
import { invalidArgument, nodeError, outOfRange } from '../runtime/errors.ts';
import { listenersOf } from '../runtime/target-listeners.ts';
import { abortSignal } from '../runtime/validate.ts';
import { AsyncResource } from './async-hooks.ts';

type Listener = (...args: unknown[]) => unknown;
interface Emitter {
	on(event: string | symbol, listener: Listener): unknown;
	off(event: string | symbol, listener: Listener): unknown;
	once(event: string | symbol, listener: Listener): unknown;
	listeners(event: string | symbol): unknown[];
	listenerCount(event: string | symbol): number;
}

const DISPOSE: symbol = Reflect.get(Symbol, 'dispose') ?? Symbol.for('Symbol.dispose');
export const errorMonitor = Symbol.for('nodejs.errorMonitor');
const captureRejectionSymbol = Symbol.for('nodejs.rejection');

/**
 * Extends the `events` package, which implements Node 11, with later features, in the class every stream inherits from.
 */
function modernise(): void {
	const prototype: Record<string, unknown> & { emit: Listener } = Object.getPrototypeOf(new EventEmitter());
	const original = prototype.emit;
	if ('captureRejectionSymbol' in EventEmitter) return;
	Object.assign(prototype, { on: addLast, addListener: addLast, prependListener: addFirst });
	for (const name of TAKES_LISTENER) checkListener(prototype, name);
	// The same method under two names, as in Node.
	Object.assign(prototype, { on: prototype['addListener'], off: prototype['removeListener'] });
	prototype['removeAllListeners'] = removeAll(prototype['removeAllListeners'] as Listener);
	prototype['listenerCount'] = Object.defineProperty(countListeners, 'name', { value: 'listenerCount' });
	prototype.emit = function emit(this: Emitter, ...args: unknown[]) {
		if (args[0] === 'error') {
			if (countListeners.call(this, errorMonitor) > 0) original.call(this, errorMonitor, ...args.slice(1));
			if (countListeners.call(this, 'error') === 0) throw unhandled(args[1]);
		}
		return original.apply(this, args);
	};
	Object.assign(EventEmitter, {
		EventEmitter,
		errorMonitor,
		captureRejectionSymbol,
		captureRejections: false,
		once: onceEvent,
		on: iterate,
		getEventListeners: (emitter: Emitter | EventTarget, event: string) =>
			'listeners' in emitter ? emitter.listeners(event) : listenersOf(emitter, event),
		getMaxListeners: (emitter: Limited) => emitter.getMaxListeners?.() ?? limits.get(emitter) ?? defaultLimit(),
		setMaxListeners: (count = defaultLimit(), ...emitters: Limited[]) => {
			checkLimit(count, 'setMaxListeners');
			if (emitters.length === 0) EventEmitter.defaultMaxListeners = count;
			for (const emitter of emitters) {
				if (emitter.setMaxListeners) emitter.setMaxListeners(count);
				else limits.set(emitter, count);
			}
		},
		addAbortListener,
		EventEmitterAsyncResource
	});
}

/** Emitters and event targets, the latter of which cannot store a limit themselves. */
interface Limited {
	getMaxListeners?(): number;
	setMaxListeners?(count: number): void;
}

const limits = new WeakMap<Limited, number>();
const defaultLimit = () => EventEmitter.defaultMaxListeners;

function checkLimit(count: unknown, name: string): void {
	if (typeof count !== 'number') throw invalidArgument(name, 'of type number', count);
	if (!(count >= 0)) throw outOfRange(name, '>= 0', count);
}

const TAKES_LISTENER = ['on', 'addListener', 'once', 'prependListener', 'prependOnceListener', 'off', 'removeListener'];

/** Makes a method refuse anything but a function, with Node's message. */
function checkListener(prototype: Record<string, unknown>, name: string): void {
	const original = prototype[name] as Listener;
	const { [name]: method } = {
		[name](this: Emitter, event: unknown, listener: unknown) {
			if (typeof listener !== 'function') throw invalidArgument('listener', 'of type function', listener);
			return original.call(this, event, listener);
		}
	};
	prototype[name] = method;
}

interface Registry extends Emitter {
	_events?: Record<string | symbol, Listener | Listeners | undefined>;
	_eventsCount: number;
	emit(...args: unknown[]): unknown;
	_maxListeners?: number;
	getMaxListeners?(): number;
}

type Listeners = Listener[] & { warned?: boolean };

function addLast(this: Registry, event: string | symbol, listener: Listener): Registry {
	return add(this, event, listener, (listeners) => void listeners.push(listener));
}

function addFirst(this: Registry, event: string | symbol, listener: Listener): Registry {
	return add(this, event, listener, (listeners) => void listeners.unshift(listener));
}

function add(emitter: Registry, event: string | symbol, listener: Listener, insert: (to: Listeners) => void): Registry {
	if (emitter._events === undefined) {
		emitter._events = Object.create(null) as Record<string, never>;
		emitter._eventsCount = 0;
	} else if (emitter._events['newListener'] !== undefined) {
		emitter.emit('newListener', event, (listener as { listener?: unknown }).listener ?? listener);
	}
	// A listener of `newListener` may have replaced the registry.
	const events = emitter._events;
	const before = events[event];
	if (before === undefined) {
		events[event] = listener;
		emitter._eventsCount++;
		return emitter;
	}
	const listeners: Listeners = typeof before === 'function' ? [before] : before;
	insert(listeners);
	events[event] = listeners;
	warnOfMany(emitter, event, listeners);
	return emitter;
}

function warnOfMany(emitter: Registry, type: string | symbol, listeners: Listeners): void {
	// The methods work on any object with listeners.
	const most = emitter.getMaxListeners?.() ?? emitter._maxListeners ?? defaultLimit();
	const count = listeners.length;
	if (!(most > 0 && count > most) || listeners.warned) return;
	listeners.warned = true;
	const where = inspect(emitter, { depth: -1 });
	const words = `Possible EventEmitter memory leak detected. ${count} ${String(type)} listeners added to ${where}. MaxListeners is ${most}. Use emitter.setMaxListeners() to increase limit`;
	const warning = Object.assign(new Error(words), { name: 'MaxListenersExceededWarning', emitter, type, count });
	const { process } = globalThis as { process?: { emitWarning?(warning: Error): void } };
	process?.emitWarning?.(warning);
}

/** Emits `removeListener` for each listener if something listens to that, including events with symbols. */
const removeAll = (original: Listener) =>
	function removeAllListeners(this: Registry, ...given: [event?: string | symbol]): unknown {
		const events = this._events;
		if (given.length > 0 || events?.['removeListener'] === undefined) return Reflect.apply(original, this, given);
		for (const event of Reflect.ownKeys(events)) {
			if (event !== 'removeListener') Reflect.apply(original, this, [event]);
		}
		return Reflect.apply(original, this, []);
	};

/** Counts listeners of an event, or only occurrences of one function. */
function countListeners(this: Emitter, event: string | symbol, listener?: unknown): number {
	const { _events: events } = this as { _events?: Record<string | symbol, unknown> };
	const found = events?.[event];
	if (found === undefined) return 0;
	const all: unknown[] = Array.isArray(found) ? found : [found];
	if (listener === undefined || listener === null) return all.length;
	return all.filter((one) => one === listener || (one as { listener?: unknown }).listener === listener).length;
}

function unhandled(cause: unknown): unknown {
	if (cause instanceof Error) return cause;
	const shown = shownSafely(cause);
	const error = nodeError(Error, 'ERR_UNHANDLED_ERROR', `Unhandled error. (${shown})`);
	return Object.assign(error, { context: cause });
}

/** Formats a value; its own formatting may throw. */
function shownSafely(value: unknown): string {
	try {
		return inspect(value);
	} catch {
		return String(value);
	}
}

function abortError(signal: AbortSignal): Error {
	const error = nodeError(Error, 'ABORT_ERR', 'The operation was aborted');
	return Object.assign(error, { name: 'AbortError', cause: signal.reason });
}

/** Objects that `once` and `on` can listen to: any emitter, not only of this module, or an event target. */
interface Source {
	on?: unknown;
	once?: unknown;
	removeListener?: unknown;
	addEventListener?: unknown;
	removeEventListener?: unknown;
}

const callMethod = (source: Source, name: keyof Source, args: unknown[]): void => {
	Reflect.apply(source[name] as Listener, source, args);
};

/** @throws TypeError `ERR_INVALID_ARG_TYPE` unless it is an emitter or an event target */
function addListener(source: Source, event: string | symbol, listener: Listener, once: boolean): void {
	if (typeof source.on === 'function') callMethod(source, once ? 'once' : 'on', [event, listener]);
	else if (typeof source.addEventListener === 'function') {
		callMethod(source, 'addEventListener', [event, listener, { once }]);
	} else throw invalidArgument('emitter', 'an instance of EventEmitter', source);
}

function removeListener(source: Source, event: string | symbol, listener: Listener): void {
	if (typeof source.removeListener === 'function') callMethod(source, 'removeListener', [event, listener]);
	else if (typeof source.removeEventListener === 'function') {
		callMethod(source, 'removeEventListener', [event, listener]);
	}
}

interface Abortable {
	signal?: AbortSignal;
}

/** @throws TypeError `ERR_INVALID_ARG_TYPE`, or `AbortError` if the signal is already aborted */
function readSignal(options: unknown): AbortSignal | undefined {
	if (options === undefined) return undefined;
	if (options === null || typeof options !== 'object') throw invalidArgument('options', 'of type object', options);
	const { signal } = options as Abortable;
	if (signal === undefined) return undefined;
	abortSignal(signal, 'options.signal');
	if (signal.aborted) throw abortError(signal);
	return signal;
}

function addAbortListener(signal: AbortSignal, listener: () => void) {
	if (signal === undefined) throw invalidArgument('signal', 'an instance of AbortSignal', signal);
	abortSignal(signal, 'signal');
	if (typeof listener !== 'function') throw invalidArgument('listener', 'of type function', listener);
	if (signal.aborted) queueMicrotask(listener);
	else signal.addEventListener('abort', listener, { once: true });
	const dispose = () => signal.removeEventListener('abort', listener);
	return { [DISPOSE]: dispose };
}

/**
 * Resolves with the arguments of an emitter's next event. Rejects with the argument of an `error` event that comes
 * first.
 */
async function onceEvent(emitter: Source, event: string | symbol, options?: Abortable): Promise<unknown[]> {
	const signal = readSignal(options);
	return new Promise((resolve, reject: (reason: unknown) => void) => {
		const stop = () => {
			removeListener(emitter, event, arrived);
			removeListener(emitter, 'error', failed);
			signal?.removeEventListener('abort', aborted);
		};
		const arrived = (...args: unknown[]) => {
			stop();
			resolve(args);
		};
		const failed = (error: unknown) => {
			stop();
			reject(error);
		};
		const aborted = () => {
			stop();
			reject(signal && abortError(signal));
		};
		addListener(emitter, event, arrived, true);
		if (event !== 'error' && typeof emitter.once === 'function') callMethod(emitter, 'once', ['error', failed]);
		signal?.addEventListener('abort', aborted, { once: true });
	});
}

interface Iteration extends Abortable {
	/** Events that end the iteration. */
	close?: string[];
}

/** Asynchronous iterator over the arguments of an emitter's events. */
function iterate(emitter: Source, event: string | symbol, options?: Iteration) {
	const signal = readSignal(options);
	const values: unknown[][] = [];
	const waiting: { resolve(value: IteratorResult<unknown>): void; reject(error: unknown): void }[] = [];
	const closing = options?.close ?? [];
	let failure: { error: unknown } | null = null;
	let ended = false;
	const arrived = (...args: unknown[]) => {
		const next = waiting.shift();
		if (next) next.resolve({ value: args, done: false });
		else values.push(args);
	};
	const failed = (error: unknown) => {
		const next = waiting.shift();
		if (next) next.reject(error);
		else failure = { error };
		finish();
	};
	const aborted = () => failed(signal && abortError(signal));
	const finish = (): Promise<IteratorResult<unknown>> => {
		ended = true;
		signal?.removeEventListener('abort', aborted);
		removeListener(emitter, event, arrived);
		removeListener(emitter, 'error', failed);
		for (const name of closing) removeListener(emitter, name, finish);
		for (const next of waiting.splice(0)) next.resolve({ value: undefined, done: true });
		return Promise.resolve({ value: undefined, done: true });
	};
	addListener(emitter, event, arrived, false);
	if (event !== 'error' && typeof emitter.on === 'function') callMethod(emitter, 'on', ['error', failed]);
	for (const name of closing) addListener(emitter, name, finish, false);
	signal?.addEventListener('abort', aborted, { once: true });
	const iterator = {
		next(): Promise<IteratorResult<unknown>> {
			const value = values.shift();
			if (value) return Promise.resolve({ value, done: false });
			if (failure) {
				const error = failure.error as Error;
				failure = null;
				return Promise.reject(error);
			}
			if (ended) return Promise.resolve({ value: undefined, done: true });
			return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
		},
		return: finish,
		throw(error: unknown): void {
			if (!(error instanceof Error)) {
				throw invalidArgument('EventEmitter.AsyncIterator', 'an instance of Error', error);
			}
			failed(error);
		},
		[Symbol.asyncIterator]() {
			return this;
		}
	};
	return Object.setPrototypeOf(iterator, ASYNC_ITERATOR) as typeof iterator;
}

/** Prototype of every asynchronous iterator. */
const ASYNC_ITERATOR: object = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

/** Emitter whose listeners run in the asynchronous context in which it was created. */
class EventEmitterAsyncResource extends EventEmitter {
	readonly #resource: AsyncResource;

	/** @throws TypeError `ERR_INVALID_ARG_TYPE` without a name, unless a subclass provides one */
	constructor(options?: string | { name?: string; triggerAsyncId?: number }) {
		super();
		const { name: given, triggerAsyncId } = typeof options === 'string' ? { name: options } : (options ?? {});
		if (new.target === EventEmitterAsyncResource && typeof given !== 'string') {
			throw invalidArgument('options.name', 'of type string', given);
		}
		const resource = new AsyncResource(given ?? new.target.name, triggerAsyncId);
		this.#resource = Object.defineProperty(resource, 'eventEmitter', { value: this });
	}

	override emit(event: string | symbol, ...args: unknown[]): boolean {
		return Boolean(this.#resource.runInAsyncScope(super.emit.bind(this) as Listener, this, event, ...args));
	}

	emitDestroy(): void {
		if (!(#resource in this)) throw invalidThis('EventEmitterAsyncResource');
		this.#resource.emitDestroy();
	}

	get asyncId(): number {
		if (!(#resource in this)) throw invalidThis('EventEmitterAsyncResource');
		return this.#resource.asyncId();
	}

	get triggerAsyncId(): number {
		if (!(#resource in this)) throw invalidThis('EventEmitterAsyncResource');
		return this.#resource.triggerAsyncId();
	}

	get asyncResource(): AsyncResource {
		if (!(#resource in this)) throw invalidThis('EventEmitterAsyncResource');
		return this.#resource;
	}
}

const invalidThis = (kind: string) =>
	nodeError(TypeError, 'ERR_INVALID_THIS', `Value of "this" must be of type ${kind}`);

modernise();

export { EventEmitter };
export default EventEmitter;
