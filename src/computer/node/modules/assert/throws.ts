import { inspect } from 'node-inspect-extracted';
import { invalidArgument, nodeError, received } from '../../runtime/errors.ts';
import { isDeepEqual } from '../util/comparisons.ts';
import { AssertionError, inspectValue } from './error.ts';

type Message = string | Error | undefined;
type Outcome = { threw: true; error: unknown } | { threw: false };

/** Functions that expect an exception, or none. */
export function throwing() {
	return {
		throws: (call: () => unknown, expected?: unknown, message?: Message) =>
			expectError('throws', outcome(call), expected, message),
		doesNotThrow: (call: () => unknown, expected?: unknown, message?: Message) =>
			expectNone('doesNotThrow', outcome(call), expected, message),
		rejects: async (call: unknown, expected?: unknown, message?: Message) =>
			expectError('rejects', await settled(call), expected, message),
		doesNotReject: async (call: unknown, expected?: unknown, message?: Message) =>
			expectNone('doesNotReject', await settled(call), expected, message)
	};
}

function outcome(call: () => unknown): Outcome {
	if (typeof call !== 'function') throw invalidArgument('fn', 'of type function', call);
	try {
		call();
	} catch (error) {
		return { threw: true, error };
	}
	return { threw: false };
}

async function settled(call: unknown): Promise<Outcome> {
	const promise: unknown = typeof call === 'function' ? Reflect.apply(call, undefined, []) : call;
	if (!isPromiseLike(promise)) {
		if (typeof call !== 'function') {
			throw invalidArgument('promiseFn', 'of type function or an instance of Promise', call);
		}
		const words = `Expected instance of Promise to be returned from the "promiseFn" function but got ${received(promise)}.`;
		throw nodeError(TypeError, 'ERR_INVALID_RETURN_VALUE', words);
	}
	try {
		await promise;
	} catch (error) {
		return { threw: true, error };
	}
	return { threw: false };
}

function isPromiseLike(value: unknown): boolean {
	if (value instanceof Promise) return true;
	if (typeof value !== 'object' || value === null) return false;
	const { then, catch: caught } = value as { then?: unknown; catch?: unknown };
	return typeof then === 'function' && typeof caught === 'function';
}

function expectError(operator: string, result: Outcome, given: unknown, last: Message): void {
	const message = typeof given === 'string' ? given : last;
	const expected = typeof given === 'string' ? undefined : given;
	if (!result.threw) {
		if (message instanceof Error) throw message;
		const name = typeof expected === 'function' && expected.name ? ` (${expected.name})` : '';
		const words = `Missing expected ${operator === 'rejects' ? 'rejection' : 'exception'}${name}${message ? `: ${message}` : '.'}`;
		throw new AssertionError({ message: words, actual: undefined, expected, operator });
	}
	if (expected !== undefined) matchError(result.error, expected, message, operator);
}

function expectNone(operator: string, result: Outcome, expected: unknown, last: Message): void {
	if (!result.threw) return;
	const text = typeof expected === 'string' ? expected : last;
	const shown = result.error instanceof Error ? result.error.message : inspect(result.error);
	const what = operator === 'doesNotReject' ? 'rejection' : 'exception';
	throw new AssertionError({
		message: `Got unwanted ${what}${text ? `: ${String(text)}` : '.'}\nActual message: "${shown}"`,
		actual: result.error,
		expected,
		operator
	});
}

function matchError(error: unknown, expected: unknown, message: Message, operator: string): void {
	const fail = (words: string): never => {
		if (message instanceof Error) throw message;
		throw Object.assign(new AssertionError({ message: message ?? words, actual: error, expected, operator }), {
			generatedMessage: message === undefined
		});
	};
	if (expected instanceof RegExp) {
		if (expected.test(String(error))) return;
		return fail(
			`The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(String(error))}\n`
		);
	}
	if (typeof expected === 'function') {
		if (expected.prototype !== undefined && error instanceof (expected as unknown as new () => object)) return;
		if (Object.prototype.isPrototypeOf.call(Error, expected)) {
			const shown =
				error instanceof Error
					? `"${error.constructor.name}"\n\nError message:\n\n${error.message}`
					: `"${inspect(error, { depth: -1 })}"`;
			return fail(`The error is expected to be an instance of "${expected.name}". Received ${shown}`);
		}
		if (Reflect.apply(expected, {}, [error]) === true) return;
		const name = expected.name ? `"${expected.name}" ` : '';
		return fail(
			`The ${name}validation function is expected to return "true". Received ${inspect(Reflect.apply(expected, {}, [error]))}\n\nCaught error:\n\n${String(error)}`
		);
	}
	if (typeof expected !== 'object' || expected === null) {
		throw invalidArgument('expected', 'of type function or an instance of Error, RegExp, or Object', expected);
	}
	const keys = [...Object.keys(expected), ...(expected instanceof Error ? ['name', 'message'] : [])];
	const wrong = keys.some((key) => {
		const [actual, wanted]: unknown[] = [Reflect.get(Object(error) as object, key), Reflect.get(expected, key)];
		if (wanted instanceof RegExp && typeof actual === 'string') return !wanted.test(actual);
		return !isDeepEqual(actual, wanted, true);
	});
	if (!wrong) return;
	const part = (source: object) => Object.fromEntries(keys.map((key) => [key, Reflect.get(source, key) as unknown]));
	const lines = (mark: string, value: unknown) =>
		inspectValue(value)
			.split('\n')
			.map((line) => `${mark} ${line}`);
	const shown = new AssertionError({
		actual: part(Object(error) as object),
		expected: part(expected),
		operator: 'deepStrictEqual'
	});
	fail(shown.message || [...lines('+', error), ...lines('-', expected)].join('\n'));
}
