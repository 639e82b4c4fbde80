type Call = (...args: unknown[]) => unknown;
type Subscriber = (message: unknown, name: string | symbol) => void;
interface Part {
	readonly hasSubscribers: boolean;
	subscribe(subscriber: Subscriber): void;
	unsubscribe(subscriber: Subscriber): boolean;
	publish(message: unknown): void;
	runStores(message: unknown, call: Call, receiver?: unknown, ...args: unknown[]): unknown;
}

export const PARTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;

/** Channels that trace one kind of call from start to end. */
export type TracingChannel = Record<(typeof PARTS)[number], Part>;

/** Adds functions that make a call and publish events about it. */
export function addTracing(channels: TracingChannel): object {
	const { start, end, asyncStart, asyncEnd, error } = channels;
	const isHeard = (): boolean => PARTS.some((part) => channels[part].hasSubscribers);
	/** Calls a function between `start` and `end`; publishes an error it throws. */
	const traced = (context: object, call: Call, self: unknown, args: unknown[]): unknown =>
		start.runStores(context, () => {
			try {
				return Reflect.apply(call, self, args);
			} catch (thrown) {
				Object.assign(context, { error: thrown });
				error.publish(context);
				throw thrown;
			} finally {
				end.publish(context);
			}
		});
	const settled = (context: object, how: { error?: unknown; result?: unknown }): void => {
		Object.assign(context, how);
		if ('error' in how) error.publish(context);
		asyncStart.publish(context);
		asyncEnd.publish(context);
	};
	return Object.defineProperty(
		{
			...channels,
			subscribe: (subscribers: Partial<Record<keyof TracingChannel, Subscriber>>) => {
				for (const part of PARTS) if (subscribers[part]) channels[part].subscribe(subscribers[part]);
			},
			unsubscribe: (subscribers: Partial<Record<keyof TracingChannel, Subscriber>>) =>
				PARTS.map((part) => !subscribers[part] || channels[part].unsubscribe(subscribers[part])).every(Boolean),
			traceSync(call: Call, context: object = {}, self?: unknown, ...args: unknown[]) {
				if (!isHeard()) return Reflect.apply(call, self, args);
				return traced(
					context,
					(...given) => {
						const result: unknown = Reflect.apply(call, self, given);
						Object.assign(context, { result });
						return result;
					},
					self,
					args
				);
			},
			async tracePromise(call: Call, context: object = {}, self?: unknown, ...args: unknown[]) {
				if (!isHeard()) return Reflect.apply(call, self, args);
				const promise = Promise.resolve(traced(context, call, self, args));
				promise.then(
					(result) => settled(context, { result }),
					(rejected: unknown) => settled(context, { error: rejected })
				);
				return promise;
			},
			traceCallback(call: Call, position = -1, context: object = {}, self?: unknown, ...args: unknown[]) {
				const callback = args.at(position);
				if (!isHeard() || typeof callback !== 'function') return Reflect.apply(call, self, args);
				args.splice(position, 1, function (this: unknown, failure: unknown, ...results: unknown[]) {
					Object.assign(context, failure ? { error: failure } : { result: results[0] });
					if (failure) error.publish(context);
					return asyncStart.runStores(context, () => {
						try {
							return Reflect.apply(callback, this, [failure, ...results]) as unknown;
						} finally {
							asyncEnd.publish(context);
						}
					});
				});
				return traced(context, call, self, args);
			}
		},
		'hasSubscribers',
		{ get: isHeard, enumerable: false }
	);
}
