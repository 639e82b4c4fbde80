import { invalidArgument } from '../runtime/errors.ts';
import type { EventLoop } from '../runtime/event-loop.ts';

type Callback = (...args: unknown[]) => unknown;

/**
 * `node:async_hooks`. A store is preserved across timers, ticks, immediates, microtasks, `then` callbacks and, in files
 * whose awaits the loader has rewritten, `await`. Browsers have no hook for a native `await`: in packages loaded before
 * anything that loads `async_hooks`, code after an `await` sees an arbitrary store or none.
 */
let current: Map<object, unknown> = new Map();
let installed = false;
let handlesThrown = false;

function bind<Call extends Callback>(call: Call): Call {
	const captured = current;
	const bound = function (this: unknown, ...args: unknown[]) {
		const before = current;
		current = captured;
		try {
			return Reflect.apply(call, this, args) as unknown;
		} catch (error) {
			noteThrown(error, captured);
			throw error;
		} finally {
			current = before;
		}
	};
	return bound as unknown as Call;
}

function wrapFirst(holder: object, name: string): void {
	const original: unknown = Reflect.get(holder, name);
	if (typeof original !== 'function') return;
	const wrapped = function (this: unknown, ...args: unknown[]) {
		const bound = args.map((arg, index) => (typeof arg === 'function' && index < 2 ? bind(arg as Callback) : arg));
		return Reflect.apply(original, this, bound) as unknown;
	};
	Object.defineProperty(holder, name, { value: Object.assign(wrapped, original), writable: true, configurable: true });
}

/** Parts of a runtime whose callbacks preserve the context. */
export interface CallbackSources {
	loop: EventLoop;
}

function install(runtime: CallbackSources): void {
	if (installed) return;
	installed = true;
	wrapFirst(Promise.prototype, 'then');
	runtime.loop.bind = bind;
}

type Handler = (error: unknown) => void;

/** Key of the handler set by {@link catchThrown}. */
const HANDLER = {};
/** Handlers of errors on their way to the event loop. */
const handlers = new WeakMap<object, Handler>();

/** Records the handler of the innermost context that an error leaves. */
function noteThrown(error: unknown, context: typeof current): void {
	const handler = context.get(HANDLER) as Handler | undefined;
	if (handler && error instanceof Error && !handlers.has(error)) handlers.set(error, handler);
}

function handleThrown(loop: EventLoop): void {
	const { onUncaught } = loop;
	loop.onUncaught = (error) => {
		try {
			const noted = error instanceof Error ? handlers.get(error) : undefined;
			const handler = noted ?? (current.get(HANDLER) as Handler | undefined);
			if (handler) handler(error);
			else onUncaught(error);
		} catch (thrown) {
			onUncaught(thrown);
		}
	};
}

/**
 * Calls a handler with uncaught errors of callbacks that are registered from now on. Returns the function that ends
 * this.
 */
export function catchThrown({ loop }: CallbackSources, handler: Handler): () => void {
	install({ loop });
	if (!handlesThrown) handleThrown(loop);
	handlesThrown = true;
	const before = current;
	current = new Map(before).set(HANDLER, handler);
	return () => void (current = before);
}

interface Carried {
	context: typeof current;
	value: unknown;
	hasFailed: boolean;
}

const nativeThen = Promise.prototype.then;

/** Promise for a rewritten `await`: the value, and the context in which the wait started. */
export function wait(value: unknown): unknown {
	if (!installed) return value;
	const context = current;
	const carry = (hasFailed: boolean) => (result: unknown) => new Waited({ context, value: result, hasFailed });
	return Reflect.apply(nativeThen, Promise.resolve(value), [carry(false), carry(true)]);
}

class Waited {
	constructor(readonly carried: Carried) {}
}

/** Result of a rewritten `await`. @throws the rejection reason */
export function resume(waited: unknown): unknown {
	if (!(waited instanceof Waited)) return waited;
	const { context, value, hasFailed } = waited.carried;
	current = context;
	if (hasFailed) throw value;
	return value;
}

type Step = (...args: unknown[]) => unknown;

/**
 * Promise that settles like `value` and restores the current context before its listeners are called: its first
 * listener restores it, and the other listeners are called next.
 */
function followed(value: unknown): Promise<unknown> {
	const context = current;
	const restore = (): void => {
		current = context;
	};
	const promise = new Promise((resolve) => resolve(value));
	Reflect.apply(nativeThen, promise, [restore, restore]);
	return promise;
}

/** Wraps the iterable of a rewritten `for await`: each step restores the context from before it. */
export function followSteps(iterated: unknown): unknown {
	if (!installed || iterated === null || iterated === undefined) return iterated;
	const method = (symbol: symbol): Step | undefined => {
		const found: unknown = Reflect.get(Object(iterated), symbol);
		return typeof found === 'function' ? (...args) => Reflect.apply(found, iterated, args) as unknown : undefined;
	};
	const open = method(Symbol.asyncIterator);
	const openSync = open ? undefined : method(Symbol.iterator);
	// Not iterable: the loop itself throws.
	if (!open && !openSync) return iterated;
	return {
		[Symbol.asyncIterator]() {
			const iterator: unknown = (open ?? openSync)?.();
			const step = (name: 'next' | 'return' | 'throw') => {
				const call: unknown = Reflect.get(Object(iterator), name);
				if (typeof call !== 'function') return undefined;
				return (...args: unknown[]) => {
					const result: unknown = Reflect.apply(call, iterator, args);
					return followed(open ? result : settled(result));
				};
			};
			return { next: step('next'), return: step('return'), throw: step('throw') };
		}
	};
}

/** Awaits the value of a step of a synchronous iterator. */
async function settled(result: unknown): Promise<unknown> {
	const { done, value } = Object(result) as IteratorResult<unknown>;
	return { done, value: await value };
}

/** Identifiers of asynchronous resources; 1 is the program itself. */
let lastId = 1;
/** Resource whose callback runs. */
let executing: { id: number; trigger: number; resource: object } = { id: 1, trigger: 0, resource: {} };

export class AsyncResource {
	readonly #id = ++lastId;
	readonly #trigger: number;
	readonly #run: Callback = bind(
		(call, receiver, ...args) => Reflect.apply(call as Callback, receiver, args) as unknown
	);

	/** @throws TypeError `ERR_INVALID_ARG_TYPE` for a type that is not a string */
	constructor(type: string, options?: number | { triggerAsyncId?: number }) {
		if (typeof type !== 'string') throw invalidArgument('type', 'of type string', type);
		const given = typeof options === 'object' ? options.triggerAsyncId : options;
		this.#trigger = given ?? executing.id;
	}

	static bind(call: Callback, type?: string, receiver?: unknown): Callback {
		return new AsyncResource(type ?? (call.name || 'bound-anonymous-fn')).bind(call, receiver);
	}

	runInAsyncScope(call: Callback, receiver?: unknown, ...args: unknown[]): unknown {
		const before = executing;
		executing = { id: this.#id, trigger: this.#trigger, resource: this };
		try {
			return this.#run(call, receiver, ...args);
		} finally {
			executing = before;
		}
	}

	/**
	 * Returns a function that runs in this resource's context, with `receiver`, or otherwise its caller's `this`, as
	 * its `this`.
	 */
	bind(call: Callback, receiver?: unknown): Callback {
		if (typeof call !== 'function') throw invalidArgument('fn', 'of type function', call);
		// eslint-disable-next-line @typescript-eslint/no-this-alias -- the function below has a `this` of its own.
		const resource = this;
		const bound = function (this: unknown, ...args: unknown[]) {
			return resource.runInAsyncScope(call, receiver ?? this, ...args);
		};
		return Object.defineProperty(bound, 'length', { value: call.length, configurable: true });
	}

	emitDestroy(): this {
		return this;
	}

	asyncId(): number {
		return this.#id;
	}

	triggerAsyncId(): number {
		return this.#trigger;
	}
}

export function createAsyncHooks(runtime: CallbackSources): Record<string, unknown> {
	class AsyncLocalStorage {
		constructor() {
			install(runtime);
		}

		static bind(call: Callback): Callback {
			return bind(call);
		}

		static snapshot(): Callback {
			return bind((call, ...args) => (call as Callback)(...args));
		}

		getStore(): unknown {
			return current.get(this);
		}

		run(store: unknown, call: Callback, ...args: unknown[]): unknown {
			const before = current;
			current = new Map(before).set(this, store);
			try {
				return call(...args);
			} finally {
				current = before;
			}
		}

		exit(call: Callback, ...args: unknown[]): unknown {
			return this.run(undefined, call, ...args);
		}

		enterWith(store: unknown): void {
			current = new Map(current).set(this, store);
		}

		disable(): void {
			current = new Map(current);
			current.delete(this);
		}
	}

	const hook = { enable: () => hook, disable: () => hook };
	return {
		AsyncLocalStorage,
		AsyncResource,
		createHook: () => hook,
		executionAsyncId: () => executing.id,
		triggerAsyncId: () => executing.trigger,
		executionAsyncResource: () => executing.resource,
		asyncWrapProviders: {}
	};
}
