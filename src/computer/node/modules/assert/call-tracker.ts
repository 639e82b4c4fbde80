import { invalidValue } from '../../runtime/errors.ts';
import { integer } from '../../runtime/validate.ts';
import { AssertionError } from './error.ts';

type Tracked = (...args: unknown[]) => unknown;

interface Call {
	thisArg: unknown;
	arguments: unknown[];
}
interface Expectation {
	expected: number;
	name: string;
	calls: Call[];
	/** Created where the function was: its stack names that place. */
	origin: Error;
}

interface Report {
	message: string;
	actual: number;
	expected: number;
	operator: string;
	stack: Error;
}

const count = integer(1, 2 ** 32 - 1);

/** `assert.CallTracker`, deprecated in Node: counts calls of functions. */
export class CallTracker {
	readonly #expectations = new Map<unknown, Expectation>();

	/**
	 * Wraps a function to count its calls.
	 * @param given function, or number of calls of a function that does nothing
	 * @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE
	 */
	calls(given?: Tracked | number, expected = 1): Tracked {
		const [call, wanted] = typeof given === 'function' ? [given, expected] : [() => undefined, given ?? expected];
		count(wanted, 'expected');
		const expectation = { expected: wanted, name: call.name || 'calls', calls: [] as Call[], origin: new Error() };
		const tracked = new Proxy(call, {
			apply: (target, thisArg: unknown, args: unknown[]) => {
				expectation.calls.push(Object.freeze({ thisArg, arguments: Object.freeze([...args]) as unknown[] }));
				return Reflect.apply(target, thisArg, args);
			}
		});
		this.#expectations.set(tracked, expectation);
		return tracked;
	}

	/** Returns the calls of a wrapped function. @throws ERR_INVALID_ARG_VALUE */
	getCalls(tracked: unknown): readonly Call[] {
		return Object.freeze([...this.#expectationOf(tracked).calls]);
	}

	/** Forgets the calls of a wrapped function, or of all. @throws ERR_INVALID_ARG_VALUE */
	reset(tracked?: unknown): void {
		const reset = tracked === undefined ? [...this.#expectations.values()] : [this.#expectationOf(tracked)];
		for (const { calls } of reset) calls.splice(0);
	}

	/** Describes each function that was not called as often as expected. */
	report(): Report[] {
		return [...this.#expectations.values()].flatMap(({ expected, name, calls, origin }) => {
			const actual = calls.length;
			if (actual === expected) return [];
			const message = `Expected the ${name} function to be executed ${expected} time(s) but was executed ${actual} time(s).`;
			return [{ message, actual, expected, operator: name, stack: origin }];
		});
	}

	/** @throws AssertionError if a function was not called as often as expected */
	verify(): void {
		const reports = this.report();
		const [first] = reports;
		if (!first) return;
		const message = reports.length === 1 ? first.message : 'Functions were not called the expected number of times';
		throw new AssertionError({ message, actual: undefined, expected: undefined, operator: 'fail' });
	}

	#expectationOf(tracked: unknown): Expectation {
		const expectation = this.#expectations.get(tracked);
		if (!expectation) throw invalidValue('tracked', tracked, 'is not a tracked function');
		return expectation;
	}
}
