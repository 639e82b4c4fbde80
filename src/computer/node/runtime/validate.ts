import { invalidArgument, invalidValue, outOfRange } from './errors.ts';

/** Throws Node's error if a value is invalid for the argument of that name. */
export type Check = (value: unknown, name: string) => void;

/** Checks of a call's arguments by name, in argument order. */
export type Signature = Readonly<Record<string, Check>>;

export type Call = (...args: never[]) => unknown;

export const string: Check = (value, name) => {
	if (typeof value !== 'string') throw invalidArgument(name, 'of type string', value);
};

export const boolean: Check = (value, name) => {
	if (typeof value !== 'boolean') throw invalidArgument(name, 'of type boolean', value);
};

export const functionValue: Check = (value, name) => {
	if (typeof value !== 'function') throw invalidArgument(name, 'of type function', value);
};

export const abortSignal: Check = (value, name) => {
	if (typeof value === 'object' && value !== null && 'aborted' in value) return;
	throw invalidArgument(name, 'an instance of AbortSignal', value);
};

/** Checks for an object that is neither null nor an array. */
export const plainObject: Check = (value, name) => {
	if (value === null || typeof value !== 'object' || Array.isArray(value))
		throw invalidArgument(name, 'of type object', value);
};

/** Checks for one of several values. */
export const oneOf =
	(allowed: readonly unknown[]): Check =>
	(value, name) => {
		if (allowed.includes(value)) return;
		const words = allowed.map((one) => (typeof one === 'string' ? `'${one}'` : String(one))).join(', ');
		throw invalidValue(name, value, `must be one of: ${words}`);
	};

export const integer =
	(min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): Check =>
	(value, name) => {
		if (typeof value !== 'number') throw invalidArgument(name, 'of type number', value);
		if (!Number.isInteger(value)) throw outOfRange(name, 'an integer', value);
		if (value < min || value > max) throw outOfRange(name, `>= ${min} && <= ${max}`, value);
	};

/**
 * Parses the mode of a file, as a number or octal digits.
 * @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE
 */
export function modeOf(value: unknown, name: string): number {
	if (typeof value === 'string') {
		if (!/^[0-7]+$/.test(value)) {
			const words = 'must be a 32-bit unsigned integer or an octal string';
			throw invalidValue(name, value, words);
		}
		return Number.parseInt(value, 8);
	}
	integer(0, 2 ** 32 - 1)(value, name);
	return Number(value);
}

/** Checks views of bytes, as accepted by `readv` and `writev`. */
export const arrayBufferViews: Check = (value, name) => {
	if (!Array.isArray(value) || !value.every((view) => ArrayBuffer.isView(view)))
		throw invalidArgument(name, 'an ArrayBufferView[]', value);
};

/** Same check for an optional argument. */
export const optional =
	(check: Check): Check =>
	(value, name) => {
		if (value !== undefined) check(value, name);
	};

/** Same check for an argument that may be omitted or null. */
export const nullable =
	(check: Check): Check =>
	(value, name) => {
		if (value !== undefined && value !== null) check(value, name);
	};

/**
 * Creates a function that checks arguments by a signature.
 * @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE for the first invalid argument
 */
export function argumentCheck(signature: Signature): (args: readonly unknown[]) => void {
	const checks = Object.entries(signature);
	return (args) => {
		let index = 0;
		for (const [name, check] of checks) check(args[index++], name);
	};
}

/** Returns the same call with its arguments checked first; `name` and `length` are preserved. */
export function checkedBy(call: Call, check: (args: readonly unknown[]) => void): Call {
	const wrapped = function (this: unknown, ...args: unknown[]): unknown {
		check(args);
		return Reflect.apply(call, this, args);
	};
	return Object.defineProperties(wrapped, {
		name: { value: call.name, configurable: true },
		length: { value: call.length, configurable: true }
	});
}
