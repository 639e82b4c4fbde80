/** Resolves after `ms`, or at once when the signal fires. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
	if (signal.aborted || ms <= 0) return Promise.resolve();
	return new Promise((resolve) => {
		const done = (): void => {
			clearTimeout(timer);
			signal.removeEventListener('abort', done);
			resolve();
		};
		const timer = setTimeout(done, ms);
		signal.addEventListener('abort', done);
	});
}

/**
 * The items of a stream until the signal fires; then it ends at once, without waiting for a
 * producer that may be stuck, and the producer is told to stop. One listener for the whole stream.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
	if (signal.aborted) return;
	const iterator = source[Symbol.asyncIterator]();
	let interrupt: (() => void) | undefined;
	const onAbort = (): void => interrupt?.();
	signal.addEventListener('abort', onAbort, { once: true });
	try {
		while (!signal.aborted) {
			const step = await new Promise<IteratorResult<T> | null>((resolve, reject) => {
				interrupt = () => resolve(null);
				iterator.next().then(resolve, reject);
			});
			if (step === null || step.done) return;
			yield step.value;
		}
	} finally {
		signal.removeEventListener('abort', onAbort);
		// Not awaited: a generator stuck in a read answers only when the read does.
		iterator.return?.()?.then(undefined, () => undefined);
	}
}

/** The work's own outcome, or `fallback` when it is not there `graceMs` after the signal fired. */
export function withinGrace<T>(work: Promise<T>, signal: AbortSignal, graceMs: number, fallback: () => T): Promise<T> {
	return new Promise((resolve, reject) => {
		let timer: ReturnType<typeof setTimeout> | undefined;
		const onAbort = (): void => {
			timer = setTimeout(() => resolve(fallback()), graceMs);
		};
		if (signal.aborted) onAbort();
		else signal.addEventListener('abort', onAbort, { once: true });
		work.then(resolve, reject).finally(() => {
			clearTimeout(timer);
			signal.removeEventListener('abort', onAbort);
		});
	});
}
