import { inspect } from 'node-inspect-extracted';
import { invalidArgument } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { positionOf } from '../../runtime/stack.ts';
import { deprecateOnce } from '../../runtime/deprecation.ts';
import { isDeepEqual } from '../util/comparisons.ts';
import { createAssertClass } from './assert-class.ts';
import { CallTracker } from './call-tracker.ts';
import { AssertionError } from './error.ts';
import { isPartOf } from './partial.ts';
import { throwing } from './throws.ts';

type Message = string | Error | undefined;

/** `node:assert`: the legacy functions, with the strict ones as `assert.strict`. */
export function createAssert(runtime: Runtime): object {
	const fail = (operator: string, actual: unknown, expected: unknown, message: Message): never => {
		if (message instanceof Error) throw message;
		throw new AssertionError({ message, actual, expected, operator });
	};
	const check = (passed: boolean, operator: string, actual: unknown, expected: unknown, message: Message) => {
		if (!passed) fail(operator, actual, expected, message);
	};
	const ok = (...args: unknown[]) => {
		const [value, message] = args as [unknown, Message];
		if (value) return;
		if (message instanceof Error) throw message;
		const text = args.length === 0 ? 'No value argument passed to `assert.ok()`' : (message ?? source(runtime));
		const error = new AssertionError({ message: text, actual: value, expected: true, operator: '==' });
		throw Object.assign(error, { generatedMessage: message === undefined });
	};
	const strictEqual = (actual: unknown, expected: unknown, message?: Message) =>
		check(Object.is(actual, expected), 'strictEqual', actual, expected, message);
	const notStrictEqual = (actual: unknown, expected: unknown, message?: Message) =>
		check(!Object.is(actual, expected), 'notStrictEqual', actual, expected, message);
	const deepStrictEqual = (actual: unknown, expected: unknown, message?: Message) =>
		check(isDeepEqual(actual, expected, true), 'deepStrictEqual', actual, expected, message);
	const notDeepStrictEqual = (actual: unknown, expected: unknown, message?: Message) =>
		check(!isDeepEqual(actual, expected, true), 'notDeepStrictEqual', actual, expected, message);
	const matching = (text: unknown, pattern: RegExp, wanted: boolean, message: Message) => {
		if (!(pattern instanceof RegExp)) throw invalidArgument('regexp', 'an instance of RegExp', pattern);
		if (typeof text === 'string' && pattern.test(text) === wanted) return;
		const head = wanted
			? 'The input did not match the regular expression'
			: 'The input was expected to not match the regular expression';
		const words =
			typeof text === 'string'
				? `${head} ${inspect(pattern)}. Input:\n\n${inspect(text)}\n`
				: `The "string" argument must be of type string. Received type ${typeof text} (${inspect(text)})`;
		if (message instanceof Error) throw message;
		const operator = wanted ? 'match' : 'doesNotMatch';
		const error = new AssertionError({ message: message ?? words, actual: text, expected: pattern, operator });
		throw Object.assign(error, { generatedMessage: message === undefined });
	};
	const shared = {
		AssertionError,
		ok,
		strictEqual,
		notStrictEqual,
		deepStrictEqual,
		notDeepStrictEqual,
		partialDeepStrictEqual: (actual: unknown, expected: unknown, message?: Message) =>
			check(isPartOf(expected, actual), 'partialDeepStrictEqual', actual, expected, message),
		match: (text: unknown, pattern: RegExp, message?: Message) => matching(text, pattern, true, message),
		doesNotMatch: (text: unknown, pattern: RegExp, message?: Message) => matching(text, pattern, false, message),
		fail: (...args: unknown[]) => failCall(runtime, args),
		ifError,
		...throwing()
	};
	const strict = Object.assign((...args: unknown[]) => ok(...args), shared, {
		equal: strictEqual,
		notEqual: notStrictEqual,
		deepEqual: deepStrictEqual,
		notDeepEqual: notDeepStrictEqual
	});
	const loose = Object.assign((...args: unknown[]) => ok(...args), shared, {
		equal: (a: unknown, b: unknown, message?: Message) => check(a == b || (a !== a && b !== b), '==', a, b, message),

		notEqual: (a: unknown, b: unknown, message?: Message) =>
			check(!(a == b || (a !== a && b !== b)), '!=', a, b, message),
		deepEqual: (a: unknown, b: unknown, message?: Message) =>
			check(isDeepEqual(a, b, false), 'deepEqual', a, b, message),
		notDeepEqual: (a: unknown, b: unknown, message?: Message) =>
			check(!isDeepEqual(a, b, false), 'notDeepEqual', a, b, message),
		strict
	});
	const Assert = createAssertClass(loose, strict);
	Object.assign(strict, { strict, Assert, CallTracker });
	return Object.assign(loose, { Assert, CallTracker });
}

/** `assert.fail`, with one argument or, deprecated, up to four. */
function failCall(runtime: Runtime, args: unknown[]): never {
	const [actual, expected, message, operator] = args;
	if (args.length <= 1) {
		if (actual instanceof Error) throw actual;
		const error = new AssertionError({ message: (actual as string | undefined) ?? 'Failed', operator: 'fail' });
		throw Object.defineProperty(error, 'generatedMessage', { value: actual === undefined });
	}
	const words =
		'assert.fail() with more than one argument is deprecated. Please use assert.strictEqual() instead or only pass a message.';
	deprecateOnce(runtime.process, words, 'DEP0094');
	if (message instanceof Error) throw message;
	const sign = args.length === 2 ? '!=' : ((operator as string | undefined) ?? 'fail');
	const error = new AssertionError({ message: message as string | undefined, actual, expected, operator: sign });
	throw Object.defineProperty(error, 'generatedMessage', { value: message === undefined });
}

/** @throws AssertionError for anything but null and undefined */
function ifError(value: unknown): void {
	if (value === null || value === undefined) return;
	let shown = inspect(value);
	if (typeof value === 'object' && typeof (value as Error).message === 'string') {
		const { message, constructor } = value as Error;
		shown = message === '' && constructor ? constructor.name : message;
	}
	const error = new AssertionError({
		message: `ifError got unwanted exception: ${shown}`,
		actual: value,
		expected: null,
		operator: 'ifError'
	});
	throw Object.defineProperty(error, 'generatedMessage', { value: true });
}

/** Source text of the call, as Node quotes it. */
function source(runtime: Runtime): string {
	const place = positionOf(new Error());
	const file = place?.file.replace(/^file:\/\//, '');
	const text = file && runtime.sys.statOrNull(file) ? new TextDecoder().decode(runtime.sys.readFile(file)) : '';
	const line = text.split('\n')[(place?.line ?? 1) - 1]?.slice((place?.column ?? 1) - 1) ?? '';
	const from = line.startsWith('ok') ? text.split('\n')[(place?.line ?? 1) - 1]?.match(/[\w$.]*ok\s*\(.*$/)?.[0] : line;
	const call = /^[\w$.]+\s*\(.*\)/.exec(from ?? '')?.[0];
	return call
		? `The expression evaluated to a falsy value:\n\n  ${call}\n`
		: 'The expression evaluated to a falsy value';
}
