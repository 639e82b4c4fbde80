type Subscriber = (message: unknown, name: string | symbol) => void;

class Channel {
	readonly #subscribers = new Set<Subscriber>();

	constructor(readonly name: string | symbol) {}

	get hasSubscribers(): boolean {
		return this.#subscribers.size > 0;
	}
	subscribe(subscriber: Subscriber): void {
		this.#subscribers.add(subscriber);
	}
	unsubscribe(subscriber: Subscriber): boolean {
		return this.#subscribers.delete(subscriber);
	}
	publish(message: unknown): void {
		for (const subscriber of this.#subscribers) subscriber(message, this.name);
	}
	runStores(message: unknown, call: (...args: unknown[]) => unknown, receiver?: unknown, ...args: unknown[]): unknown {
		this.publish(message);
		return Reflect.apply(call, receiver, args);
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
		tracingChannel: (name: string) =>
			Object.fromEntries(
				['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map((part) => [part, channel(`tracing:${name}:${part}`)])
			)
	};
}
