/**
 * An iterator that also returns items that have already arrived, without a promise. One chunk of a response may
 * contain hundreds of deltas, and awaiting each of them in every layer is expensive.
 */
export interface ArrivingIterator<T> extends AsyncIterator<T> {
	/**
	 * Returns the next item if it has already arrived, else `undefined`; `next` then returns it or waits for it.
	 * Only call it between two calls of `next`. Never throws: failures and the end are reported by `next`.
	 */
	arrived?(): T | undefined;
}

/** Sequence that is opened by its first `next` and forwards items that have already arrived. */
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
