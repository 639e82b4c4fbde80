import type { Runtime } from '../runtime/runtime.ts';
import { nodeError } from '../runtime/errors.ts';
import { enrolment } from './timers-enrolment.ts';

interface Options {
	signal?: AbortSignal;
	ref?: boolean;
}

export function createTimers(runtime: Runtime): Record<string, unknown> {
	const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } = runtime.timers;
	return {
		setTimeout,
		setInterval,
		setImmediate,
		clearTimeout,
		clearInterval,
		clearImmediate,
		...enrolment(runtime.timers),
		promises: createTimerPromises(runtime)
	};
}

/** `node:timers/promises`. The timers are looked up at each call, so that mocks are used. */
export function createTimerPromises(runtime: Runtime): Record<string, unknown> {
	const wait = (
		start: (done: () => void) => { close?(): void; clear?(): void; unref(): unknown },
		value: unknown,
		options: Options = {}
	) =>
		new Promise((resolve, reject) => {
			const { signal } = options;
			if (signal?.aborted) return reject(abortError(signal));
			const abort = () => {
				timer.close?.();
				timer.clear?.();
				if (signal) reject(abortError(signal));
			};
			const timer = start(() => {
				signal?.removeEventListener('abort', abort);
				resolve(value);
			});
			if (options.ref === false) timer.unref();
			signal?.addEventListener('abort', abort, { once: true });
		});
	const after = (ms?: number, value?: unknown, options?: Options) =>
		wait((done) => runtime.timers.setTimeout(done, ms), value, options);
	const immediately = (value?: unknown, options?: Options) =>
		wait((done) => runtime.timers.setImmediate(done), value, options);
	return {
		setTimeout: after,
		setImmediate: immediately,
		async *setInterval(ms?: number, value?: unknown, options?: Options) {
			for (;;) {
				await after(ms, undefined, options);
				yield value;
			}
		},
		scheduler: { wait: (ms: number, options?: Options) => after(ms, undefined, options), yield: () => immediately() }
	};
}

function abortError(signal: AbortSignal): Error {
	const error = nodeError(Error, 'ABORT_ERR', 'The operation was aborted');
	return Object.assign(error, { name: 'AbortError', cause: signal.reason });
}
