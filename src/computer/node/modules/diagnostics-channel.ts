import { addTracing, PARTS, type TracingChannel } from './tracing-channel.ts';

type Subscriber = (message: unknown, name: string | symbol) => void;
type Call = (...args: unknown[]) => unknown;
/** Holds a value during a call, like `AsyncLocalStorage`. */
interface Store {
	run(value: unknown, call: () => unknown): unknown;
}

class Channel {
	readonly #subscribers = new Set<Subscriber>();
	readonly #stores = new Map<Store, ((message: unknown) => unknown) | undefined>();

	constructor(readonly name: string | symbol) {}

	get hasSubscribers(): boolean {
		return this.#subscribers.size > 0 || this.#stores.size > 0;
	}
	subscribe(subscriber: Subscriber): void {
		this.#subscribers.add(subscriber);
	}
	unsubscribe(subscriber: Subscriber): boolean {
		return this.#subscribers.delete(subscriber);
	}
	bindStore(store: Store, transform?: (message: unknown) => unknown): void {
		this.#stores.set(store, transform);
	}
	unbindStore(store: Store): boolean {
		return this.#stores.delete(store);
	}
	publish(message: unknown): void {
		for (const subscriber of this.#subscribers) subscriber(message, this.name);
	}
	/** Calls a function with the stores containing the message, after it was published. */
	runStores(message: unknown, call: Call, receiver?: unknown, ...args: unknown[]): unknown {
		let run = (): unknown => {
			this.publish(message);
			return Reflect.apply(call, receiver, args);
		};
		for (const [store, transform] of this.#stores) {
			const inner = run;
			run = () => store.run(transform ? transform(message) : message, inner);
		}
		return run();
	}
}

/** `node:diagnostics_channel`. */
export function createDiagnosticsChannel(): Record<string, unknown> {
	const channels = new Map<string | symbol, Channel>();
	const channel = (name: string | symbol): Channel => {
		const known = channels.get(name) ?? new Channel(name);
		channels.set(name, known);
		return known;
	};
	return {
		Channel,
		channel,
		hasSubscribers: (name: string | symbol) => channels.get(name)?.hasSubscribers ?? false,
		subscribe: (name: string | symbol, subscriber: Subscriber) => channel(name).subscribe(subscriber),
		unsubscribe: (name: string | symbol, subscriber: Subscriber) => channel(name).unsubscribe(subscriber),
		tracingChannel(given: string | TracingChannel) {
			const part = (name: (typeof PARTS)[number]) =>
				typeof given === 'string' ? channel(`tracing:${given}:${name}`) : given[name];
			const [start, end, asyncStart, asyncEnd, error] = PARTS.map(part);
			return addTracing({ start, end, asyncStart, asyncEnd, error } as TracingChannel);
		}
	};
}
