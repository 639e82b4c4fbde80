import { AwkError } from './faults.ts';
import type { Runtime } from './runtime.ts';
import { AwkArray, isText, toNumber, type Value } from './values.ts';

type Entry = readonly [key: string, value: Value | AwkArray];
type Order = (one: Entry, other: Entry) => number;

const texts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const numbers = (a: number, b: number): number => (Number.isNaN(a) || Number.isNaN(b) ? 0 : a - b || 0);

/** Numbers before strings before arrays. */
const rank = (value: Value | AwkArray): number => (value instanceof AwkArray ? 2 : isText(value) ? 1 : 0);

function byType(runtime: Runtime, ignoresCase: boolean): (a: Value | AwkArray, b: Value | AwkArray) => number {
	return (a, b) => {
		if (rank(a) !== rank(b)) return rank(a) - rank(b);
		if (a instanceof AwkArray || b instanceof AwkArray) return 0;
		return isText(a) ? byText(runtime, ignoresCase)(a, b) : compareNumbers(a, b);
	};
}

const compareNumbers = (a: Value, b: Value): number => {
	const [left, right] = [toNumber(a), toNumber(b)];
	return left < right ? -1 : left > right ? 1 : 0;
};

function byText(runtime: Runtime, ignoresCase: boolean): (a: Value | AwkArray, b: Value | AwkArray) => number {
	return (a, b) => {
		if (a instanceof AwkArray || b instanceof AwkArray)
			return Number(a instanceof AwkArray) - Number(b instanceof AwkArray);
		const [left, right] = [runtime.text(a), runtime.text(b)];
		return ignoresCase ? texts(left.toLowerCase(), right.toLowerCase()) : texts(left, right);
	};
}

/** Predefined orders, ascending. */
function namedOrder(runtime: Runtime, what: string, how: string): Order | null {
	const folded = runtime.ignoreCase;
	const keys: Order = ([a], [b]) => (folded ? texts(a.toLowerCase(), b.toLowerCase()) : texts(a, b));
	if (what === 'ind' && how === 'str') return keys;
	if (what === 'ind' && how === 'num') return (a, b) => numbers(toNumber(a[0]), toNumber(b[0])) || keys(a, b);
	if (what !== 'val') return null;
	if (how === 'type') return (a, b) => byType(runtime, folded)(a[1], b[1]) || keys(a, b);
	if (how === 'str') return (a, b) => byText(runtime, folded)(a[1], b[1]) || keys(a, b);
	if (how !== 'num') return null;
	return (a, b) => {
		const [one, other] = [a[1], b[1]];
		if (one instanceof AwkArray || other instanceof AwkArray) return rank(one) - rank(other) || keys(a, b);
		return compareNumbers(one, other) || byText(runtime, folded)(one, other) || keys(a, b);
	};
}

/** Calls a user-defined function by name. */
export type CallByName = (name: string, args: (Value | AwkArray)[]) => Value;

/** Sorts elements by a predefined order, or by a function of the program. @throws AwkError */
export function sortEntries(
	runtime: Runtime,
	entries: Entry[],
	how: string,
	call: CallByName,
	isFunction: (name: string) => boolean
): Entry[] {
	if (how === '@unsorted' || how === '') return entries;
	const [, what = '', by = '', direction] = /^@(ind|val)_(str|num|type)_(asc|desc)$/.exec(how) ?? [];
	if (direction !== undefined) {
		const order = namedOrder(runtime, what, by);
		if (order) return entries.sort(direction === 'asc' ? order : (a, b) => order(b, a));
	}
	if (!/^(?:[A-Za-z_]\w*::)?[A-Za-z_]\w*$/.test(how)) throw new AwkError(`\`${how}' is invalid as a function name`);
	if (!isFunction(how)) throw new AwkError(`sort comparison function \`${how}' is not defined`);
	return entries.sort((a, b) => toNumber(call(how, [a[0], a[1], b[0], b[1]])));
}

/** Default order of keys: gawk stores integers separately, and lists them in order. */
export function usualOrder(keys: string[]): string[] {
	const numbers: string[] = [];
	const others: string[] = [];
	for (const key of keys) (/^[1-9]\d{0,9}$/.test(key) ? numbers : others).push(key);
	if (numbers.length === 0) return keys;
	return [...others, ...numbers.sort((a, b) => Number(a) - Number(b))];
}
