import type { Runtime } from '../runtime/runtime.ts';
import { nodeError } from '../runtime/errors.ts';
import { MockTimers } from './mock-timers.ts';

type Callable = (...args: unknown[]) => unknown;
interface Call {
	arguments: unknown[];
	error: unknown;
	result: unknown;
	stack: Error;
	target: unknown;
	this: unknown;
}
interface MockOptions {
	times?: number;
	getter?: boolean;
	setter?: boolean;
}

class MockContext {
	readonly calls: Call[] = [];
	readonly once = new Map<number, Callable>();

	constructor(
		public implementation: Callable,
		readonly restore: () => void
	) {
		for (const name of ['implementation', 'once'] as const)
			Object.defineProperty(this, name, { enumerable: false, writable: true });
	}

	callCount(): number {
		return this.calls.length;
	}
	mockImplementation(implementation: Callable): void {
		this.implementation = implementation;
	}
	mockImplementationOnce(implementation: Callable, onCall = this.calls.length): void {
		this.once.set(onCall, implementation);
	}
	resetCalls(): void {
		this.calls.length = 0;
	}
}

/** `t.mock` and `mock`. */
export class MockTracker {
	#restores: (() => void)[] = [];
	readonly timers: MockTimers;

	constructor(runtime: Runtime) {
		this.timers = new MockTimers(runtime);
	}

	fn(original: unknown = () => undefined, second?: unknown, third?: MockOptions): Callable {
		const implementation = typeof second === 'function' ? (second as Callable) : (original as Callable);
		const options = (typeof second === 'object' ? second : third) as MockOptions | undefined;
		return this.#mocked(original as Callable, implementation, options, () => undefined);
	}

	method(object: object, name: string | symbol, second?: unknown, third?: MockOptions): Callable {
		const options = (typeof second === 'object' && second !== null ? second : third) as MockOptions | undefined;
		const kind = options?.getter ? 'get' : options?.setter ? 'set' : 'value';
		let holder: object | null = object;
		while (holder && !Object.hasOwn(holder, name)) holder = Reflect.getPrototypeOf(holder);
		const descriptor = holder && Object.getOwnPropertyDescriptor(holder, name);
		const original: unknown = descriptor?.[kind] ?? (kind === 'value' ? Reflect.get(object, name) : undefined);
		if (typeof original !== 'function') {
			const words = `The argument 'methodName' must be a method. Received ${String(original)}`;
			throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', words);
		}
		const own = Object.getOwnPropertyDescriptor(object, name);
		const restore = () => {
			if (own) Object.defineProperty(object, name, own);
			else Reflect.deleteProperty(object, name);
		};
		const implementation = typeof second === 'function' ? (second as Callable) : (original as Callable);
		const mocked = this.#mocked(original as Callable, implementation, options, restore);
		const base = { configurable: true, enumerable: descriptor?.enumerable ?? true };
		if (kind === 'value') Object.defineProperty(object, name, { ...base, writable: true, value: mocked });
		else Object.defineProperty(object, name, { ...base, get: descriptor?.get, set: descriptor?.set, [kind]: mocked });
		return mocked;
	}

	getter(object: object, name: string, implementation?: Callable): Callable {
		return this.method(object, name, implementation ?? { getter: true }, { getter: true });
	}

	setter(object: object, name: string, implementation?: Callable): Callable {
		return this.method(object, name, implementation ?? { setter: true }, { setter: true });
	}

	restoreAll(): void {
		for (const restore of this.#restores) restore();
	}

	reset(): void {
		this.restoreAll();
		this.timers.reset();
		this.#restores = [];
	}

	#mocked(
		original: Callable,
		implementation: Callable,
		options: MockOptions | undefined,
		restore: () => void
	): Callable {
		const context = new MockContext(implementation, () => {
			restore();
			context.implementation = original;
		});
		this.#restores.push(context.restore);
		const mocked = function (this: unknown, ...args: unknown[]): unknown {
			const index = context.calls.length;
			const limited = options?.times !== undefined && index >= options.times;
			const run = context.once.get(index) ?? (limited ? original : context.implementation);
			context.once.delete(index);
			const call: Call = {
				arguments: args,
				error: undefined,
				result: undefined,
				stack: new Error(),
				target: new.target,
				this: this
			};
			try {
				call.result = new.target ? Reflect.construct(run, args, new.target) : Reflect.apply(run, this, args);
				return call.result;
			} catch (error) {
				call.error = error;
				throw error;
			} finally {
				context.calls.push(call);
			}
		};
		Object.defineProperties(mocked, {
			name: { value: original.name },
			length: { value: original.length },
			mock: { value: context }
		});
		if (original.prototype) mocked.prototype = original.prototype as object;
		return mocked;
	}
}
