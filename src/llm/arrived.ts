/**
 * An iterator that also gives, without a wait, what has arrived already. One piece of a response may hold hundreds of
 * deltas, and each would wait several times in every layer between the wire and whoever reads it.
 */
export interface ArrivingIterator<T> extends AsyncIterator<T> {
	/**
	 * The next item where it is here; else `undefined`, and `next` has it or waits for it. Only between two calls of
	 * `next`. Never throws: failures and the end are `next`'s.
	 */
	arrived?(): T | undefined;
}

/** A sequence that is opened by its first `next`, and hands on what has arrived in it. */
export function opened<T>(open: () => Promise<AsyncIterable<T>>): AsyncIterable<T> {
	return {
		[Symbol.asyncIterator](): ArrivingIterator<T> {
			let events: ArrivingIterator<T> | undefined;
			return {
				async next() {
					events ??= (await open())[Symbol.asyncIterator]();
					return events.next();
				},
				arrived: () => events?.arrived?.(),
				async return() {
					await events?.return?.();
					return { done: true, value: undefined };
				}
			};
		}
	};
}
