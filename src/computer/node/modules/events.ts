import EventEmitter from 'events';
import { inspect } from 'node-inspect-extracted';
import { invalidArgument, nodeError, outOfRange } from '../runtime/errors.ts';

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

/** The `events` package is Node 11's; this adds what came since, to the class every stream inherits from. */
function modernise(): void {
	const prototype: Record<string, unknown> & { emit: Listener } = Object.getPrototypeOf(new EventEmitter());
	const original = prototype.emit;
	if ('captureRejectionSymbol' in EventEmitter) return;
	for (const name of TAKES_LISTENER) checkListener(prototype, name);
	prototype['listenerCount'] = countListeners;
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
			'listeners' in emitter ? emitter.listeners(event) : [],
		getMaxListeners: (emitter: Limited) => emitter.getMaxListeners?.() ?? limits.get(emitter) ?? defaultLimit(),
		setMaxListeners: (count = defaultLimit(), ...emitters: Limited[]) => {
			checkLimit(count, 'setMaxListeners');
			if (emitters.length === 0) EventEmitter.defaultMaxListeners = count;
			for (const emitter of emitters) {
				if (emitter.setMaxListeners) emitter.setMaxListeners(count);
				else limits.set(emitter, count);
			}
		},
		addAbortListener
	});
}

/** Emitters and event targets, of which the latter have no place for a limit of their own. */
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

/** Makes a method refuse what is no function in Node's words. */
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

/** Listeners of an event, or those of them that are one function. */
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
	const shown = inspect(cause);
	const error = nodeError(Error, 'ERR_UNHANDLED_ERROR', `Unhandled error. (${shown})`);
	return Object.assign(error, { context: cause });
}

function abortError(signal: AbortSignal): Error {
	const error = nodeError(Error, 'ABORT_ERR', 'The operation was aborted');
	return Object.assign(error, { name: 'AbortError', cause: signal.reason });
}

function addAbortListener(signal: AbortSignal, listener: () => void) {
	if (signal.aborted) queueMicrotask(listener);
	else signal.addEventListener('abort', listener, { once: true });
	const dispose = () => signal.removeEventListener('abort', listener);
	return { [DISPOSE]: dispose };
}

function onceEvent(
	emitter: Emitter | EventTarget,
	event: string,
	options?: { signal?: AbortSignal }
): Promise<unknown[]> {
	return new Promise((resolve, reject) => {
		const signal = options?.signal;
		if (signal?.aborted) return reject(abortError(signal));
		if (emitter instanceof EventTarget) {
			emitter.addEventListener(event, (happened) => resolve([happened]), { once: true });
			return;
		}
		const clean = () => {
			emitter.off(event, arrived);
			emitter.off('error', failed);
			signal?.removeEventListener('abort', aborted);
		};
		const arrived = (...args: unknown[]) => {
			clean();
			resolve(args);
		};
		const failed = (error: unknown) => {
			clean();
			reject(error instanceof Error ? error : new Error(String(error)));
		};
		const aborted = () => {
			clean();
			if (signal) reject(abortError(signal));
		};
		emitter.once(event, arrived);
		if (event !== 'error') emitter.once('error', failed);
		signal?.addEventListener('abort', aborted, { once: true });
	});
}

function iterate(emitter: Emitter, event: string, options?: { signal?: AbortSignal; close?: string[] }) {
	const values: unknown[][] = [];
	const waiting: { resolve(value: IteratorResult<unknown>): void; reject(error: unknown): void }[] = [];
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
	const finish = () => {
		ended = true;
		emitter.off(event, arrived);
		emitter.off('error', failed);
		for (const name of options?.close ?? []) emitter.off(name, finish);
		for (const next of waiting.splice(0)) next.resolve({ value: undefined, done: true });
	};
	emitter.on(event, arrived);
	if (event !== 'error') emitter.on('error', failed);
	for (const name of options?.close ?? []) emitter.on(name, finish);
	const signal = options?.signal;
	if (signal) addAbortListener(signal, () => failed(abortError(signal)));
	return {
		next(): Promise<IteratorResult<unknown>> {
			const value = values.shift();
			if (value) return Promise.resolve({ value, done: false });
			if (failure) {
				const { error } = failure;
				failure = null;
				return Promise.reject(error instanceof Error ? error : new Error(String(error)));
			}
			if (ended) return Promise.resolve({ value: undefined, done: true });
			return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
		},
		return(): Promise<IteratorResult<unknown>> {
			finish();
			return Promise.resolve({ value: undefined, done: true });
		},
		throw(error: unknown): Promise<IteratorResult<unknown>> {
			failed(error);
			return Promise.resolve({ value: undefined, done: true });
		},
		[Symbol.asyncIterator]() {
			return this;
		}
	};
}

modernise();

export { EventEmitter };
export default EventEmitter;
