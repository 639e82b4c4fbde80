import type { Runtime } from '../runtime/runtime.ts';

type Callback = (...args: unknown[]) => unknown;

/**
 * `node:async_hooks`. A store follows timers, ticks, immediates, microtasks and `then` callbacks.
 * A native `await` cannot be hooked in a browser: while a call given to `run` awaits, its store stays
 * the current one, so calls that overlap in time see the store that was entered last.
 */
let current: Map<object, unknown> = new Map();
let installed = false;

function bind<Call extends Callback>(call: Call): Call {
	const captured = current;
	const bound = function (this: unknown, ...args: unknown[]) {
		const before = current;
		current = captured;
		try {
			return Reflect.apply(call, this, args) as unknown;
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

function install(runtime: Runtime): void {
	if (installed) return;
	installed = true;
	wrapFirst(Promise.prototype, 'then');
	for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']) wrapFirst(globalThis, name);
	wrapFirst(runtime.process, 'nextTick');
}

export function createAsyncHooks(runtime: Runtime): Record<string, unknown> {
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
			let result: unknown;
			try {
				result = call(...args);
			} catch (error) {
				current = before;
				throw error;
			}
			if (!(result instanceof Promise)) {
				current = before;
				return result;
			}
			// While the call awaits, what it wakes up to is this store, unless another one was entered since.
			const inside = current;
			const leave = () => {
				if (current === inside) current = before;
			};
			Reflect.apply(Promise.prototype.then, result, [leave, leave]);
			return result;
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

	class AsyncResource {
		readonly #run: Callback = bind(
			(call, receiver, ...args) => Reflect.apply(call as Callback, receiver, args) as unknown
		);

		constructor(readonly type: string) {}

		static bind(call: Callback): Callback {
			return bind(call);
		}

		runInAsyncScope(call: Callback, receiver?: unknown, ...args: unknown[]): unknown {
			return this.#run(call, receiver, ...args);
		}

		bind(call: Callback): Callback {
			return bind(call);
		}

		emitDestroy(): this {
			return this;
		}

		asyncId = () => 1;
		triggerAsyncId = () => 0;
	}

	const hook = { enable: () => hook, disable: () => hook };
	return {
		AsyncLocalStorage,
		AsyncResource,
		createHook: () => hook,
		executionAsyncId: () => 1,
		triggerAsyncId: () => 0,
		executionAsyncResource: () => ({}),
		asyncWrapProviders: {}
	};
}
