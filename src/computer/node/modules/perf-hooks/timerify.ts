import { nowMs } from '../../runtime/clock.ts';
import { invalidArgument } from '../../runtime/errors.ts';
import { functionValue, plainObject } from '../../runtime/validate.ts';
import { PerformanceNodeEntry, type OwnEntries } from './entries.ts';
import { NANOSECONDS, RecordableHistogram } from './histogram.ts';

type Call = (...args: unknown[]) => unknown;

/** `performance.timerify`: a function whose calls observers of `function` and a histogram learn of. */
export function timerifyOf(entries: OwnEntries) {
	return (call: unknown, options: { histogram?: unknown } = {}): unknown => {
		functionValue(call, 'fn');
		plainObject(options, 'options');
		const { histogram } = options;
		if (histogram !== undefined && !(histogram instanceof RecordableHistogram))
			throw invalidArgument('options.histogram', 'an instance of RecordableHistogram', histogram);
		const original = call as Call;
		const ended = (startTime: number, args: unknown[]) => {
			const duration = nowMs() - startTime;
			histogram?.record(Math.max(1, Math.ceil(duration * NANOSECONDS)));
			if (!entries.isObserved) return;
			entries.add(new PerformanceNodeEntry(original.name, 'function', startTime, duration, args));
		};
		const timed = function (this: unknown, ...args: unknown[]): unknown {
			const startTime = nowMs();
			const result: unknown = new.target
				? Reflect.construct(original, args, original)
				: Reflect.apply(original, this, args);
			if (!isThenable(result)) {
				ended(startTime, args);
				return result;
			}
			return result.finally(() => ended(startTime, args));
		};
		return Object.defineProperties(timed, {
			length: { value: original.length, configurable: true },
			name: { value: `timerified ${original.name}`, configurable: true }
		});
	};
}

function isThenable(value: unknown): value is Promise<unknown> {
	return typeof (value as { finally?: unknown } | null)?.finally === 'function';
}
