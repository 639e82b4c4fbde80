import {
	equals,
	iterableEquality,
	sparseArrayEquality,
	subsetEquality,
	typeEquality,
	arrayBufferEquality
} from '@vitest/expect';
import { difference, inLine } from './print.ts';

/** Result of a matcher and its message, for both `expect(x).matcher()` and `.not`. */
export interface Verdict {
	pass: boolean;
	/** Lines after the first one, e.g. the expected value. */
	details: string;
	/** Comment after the call: `// deep equality`. */
	comment?: string;
}

type ValueMatcher = (received: unknown, isNot: boolean, ...expected: never[]) => Verdict;

const both = (expected: unknown, received: unknown, isNot: boolean): string =>
	isNot ? `Expected: not ${inLine(expected)}` : difference(expected, received);
const only = (received: unknown): string => `Received: ${inLine(received)}`;
const compared =
	(sign: string, holds: (a: number, b: number) => boolean): ValueMatcher =>
	(received, isNot, expected: number) => ({
		pass: holds(received as number, expected),
		details: `Expected:${isNot ? ' not' : ''} ${sign} ${inLine(expected)}\nReceived:${isNot ? '    ' : ''} ${' '.repeat(sign.length)} ${inLine(received)}`
	});
const plain =
	(holds: (value: unknown) => boolean): ValueMatcher =>
	(received) => ({ pass: holds(received), details: only(received) });

const DEEP = [iterableEquality];
const STRICT = [iterableEquality, typeEquality, sparseArrayEquality, arrayBufferEquality];

/** Jest's matchers for values. */
export const valueMatchers: Readonly<Record<string, ValueMatcher>> = {
	toBe: (received, isNot, expected: unknown) => ({
		pass: Object.is(received, expected),
		details: both(expected, received, isNot),
		comment: '// Object.is equality'
	}),
	toEqual: (received, isNot, expected: unknown) => ({
		pass: equals(received, expected, DEEP),
		details: both(expected, received, isNot),
		comment: '// deep equality'
	}),
	toStrictEqual: (received, isNot, expected: unknown) => ({
		pass: equals(received, expected, STRICT, true),
		details: both(expected, received, isNot),
		comment: '// deep equality'
	}),
	toMatchObject: (received, isNot, expected: unknown) => ({
		pass: equals(received, expected, [iterableEquality, subsetEquality]),
		details: both(expected, received, isNot)
	}),
	toBeTruthy: plain(Boolean),
	toBeFalsy: plain((value) => !value),
	toBeNull: plain((value) => value === null),
	toBeUndefined: plain((value) => value === undefined),
	toBeDefined: plain((value) => value !== undefined),
	toBeNaN: plain(Number.isNaN),
	toBeGreaterThan: compared('>', (a, b) => a > b),
	toBeGreaterThanOrEqual: compared('>=', (a, b) => a >= b),
	toBeLessThan: compared('<', (a, b) => a < b),
	toBeLessThanOrEqual: compared('<=', (a, b) => a <= b),
	toBeCloseTo: (received, isNot, expected: number, digits: number = 2) => ({
		pass: received === expected || Math.abs((received as number) - expected) < 10 ** -digits / 2,
		details: `${both(expected, received, isNot)}\n\nExpected precision:    ${digits}`
	}),
	toBeInstanceOf: (received, isNot, expected: new () => unknown) => ({
		pass: received instanceof expected,
		details: `Expected constructor:${isNot ? ' not' : ''} ${expected.name}\nReceived value: ${inLine(received)}`
	}),
	toContain: (received, isNot, expected: unknown) => ({
		pass:
			typeof received === 'string'
				? received.includes(String(expected))
				: Array.from(received as Iterable<unknown>).includes(expected),
		details: contained(received, expected, isNot),
		comment: typeof received === 'string' ? '// indexOf' : '// indexOf'
	}),
	toContainEqual: (received, isNot, expected: unknown) => ({
		pass: Array.from(received as Iterable<unknown>).some((each) => equals(each, expected, DEEP)),
		details: contained(received, expected, isNot),
		comment: '// deep equality'
	}),
	toHaveLength: (received, isNot, expected: number) => ({
		pass: Reflect.get(Object(received), 'length') === expected,
		details: `Expected length: ${isNot ? 'not ' : ''}${expected}\nReceived length: ${String(Reflect.get(Object(received), 'length'))}\nReceived value:  ${inLine(received)}`
	}),
	toMatch: (received, isNot, expected: string | RegExp) => ({
		pass:
			typeof expected === 'string' ? String(received).includes(expected) : new RegExp(expected).test(String(received)),
		details: `Expected ${typeof expected === 'string' ? 'substring' : 'pattern'}: ${isNot ? 'not ' : ''}${inLine(expected)}\nReceived string:  ${inLine(received)}`
	}),
	toHaveProperty: (received, isNot, path: string | string[], ...value: unknown[]) =>
		propertyVerdict(received, isNot, path, value),
	toThrow: (received, isNot, expected?: unknown) => thrownVerdict(received, isNot, expected),
	toThrowError: (received, isNot, expected?: unknown) => thrownVerdict(received, isNot, expected)
};

function contained(received: unknown, expected: unknown, isNot: boolean): string {
	const word = typeof received === 'string' ? 'substring' : 'value';
	const label = typeof received === 'string' ? 'Received string:    ' : 'Received array: ';
	return `Expected ${word}: ${isNot ? 'not ' : ''}${inLine(expected)}\n${label}${inLine(received)}`;
}

function propertyVerdict(received: unknown, isNot: boolean, path: string | string[], value: unknown[]): Verdict {
	const keys = Array.isArray(path) ? path : path.replace(/\[(\w+)\]/g, '.$1').split('.');
	let at: unknown = received;
	let isThere = true;
	for (const key of keys) {
		isThere = at !== null && at !== undefined && key in Object(at);
		if (!isThere) break;
		at = Reflect.get(Object(at), key);
	}
	const pass = isThere && (value.length === 0 || equals(at, value[0], DEEP));
	const wanted = value.length === 0 ? '' : `\n${both(value[0], at, isNot)}`;
	return { pass, details: `Expected path: ${isNot ? 'not ' : ''}${inLine(keys.join('.'))}${wanted}` };
}

function thrownVerdict(received: unknown, isNot: boolean, expected: unknown): Verdict {
	let thrown: { error: unknown } | null = null;
	if (typeof received === 'function') {
		try {
			received();
		} catch (error) {
			thrown = { error };
		}
	} else thrown = { error: received };
	if (!thrown)
		return {
			pass: false,
			details: `${expected === undefined ? '' : `Expected: ${inLine(expected)}\n\n`}Received function did not throw`
		};
	const { error } = thrown;
	const message = error instanceof Error ? error.message : String(error);
	const details = `Expected${isNot ? ' not' : ''}: ${typeof expected === 'function' ? expected.name : inLine(expected)}\nReceived message: ${inLine(message)}`;
	if (expected === undefined) return { pass: true, details: `Thrown value: ${inLine(error)}` };
	if (typeof expected === 'string') return { pass: message.includes(expected), details };
	if (expected instanceof RegExp) return { pass: new RegExp(expected).test(message), details };
	if (typeof expected === 'function') return { pass: error instanceof expected, details };
	return { pass: expected instanceof Error ? expected.message === message : equals(error, expected), details };
}
