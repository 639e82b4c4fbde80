import type { NodeError } from '../../runtime/errors.ts';
import type { SqliteLibrary } from './library.ts';

/** Error of Node's compiled code: its code is a field only, not a part of the stack. */
function compiledError(Base: new (message?: string) => Error, code: string, message: string): NodeError {
	const error: NodeError = new Base(message);
	error.code = code;
	return error;
}

/** Error for an argument of the wrong type. @param expected such as `a string` */
export const wrongType = (name: string, expected: string): NodeError =>
	compiledError(TypeError, 'ERR_INVALID_ARG_TYPE', `The "${name}" argument must be ${expected}.`);

export const unbindable = (index: number): NodeError =>
	compiledError(TypeError, 'ERR_INVALID_ARG_TYPE', `Provided value cannot be bound to SQLite parameter ${index}.`);

export const invalidState = (message: string): NodeError => compiledError(Error, 'ERR_INVALID_STATE', message);

export const tooLargeToBind = (): NodeError =>
	compiledError(TypeError, 'ERR_INVALID_ARG_VALUE', 'BigInt value is too large to bind.');

export const tooLargeToRead = (value: bigint): NodeError =>
	compiledError(
		RangeError,
		'ERR_OUT_OF_RANGE',
		`Value is too large to be represented as a JavaScript number: ${value}`
	);

export const notPositive = (name: string): NodeError =>
	compiledError(RangeError, 'ERR_OUT_OF_RANGE', `The "${name}" argument must be a positive integer.`);

export const illegalConstructor = (): NodeError =>
	compiledError(Error, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');

export const wrongScheme = (): NodeError =>
	compiledError(TypeError, 'ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file:');

export const extensionRefused = (path: string): NodeError =>
	compiledError(
		Error,
		'ERR_LOAD_SQLITE_EXTENSION',
		`${path}: extensions of SQLite are native programs, which do not run in this sandbox`
	);

/** Error of SQLite for its last call on a connection. */
export function sqliteError({ calls, memory }: SqliteLibrary, connection: number): Error {
	const errcode = calls.sqlite3_extended_errcode(connection);
	const message = memory.text(calls.sqlite3_errmsg(connection)) ?? '';
	const errstr = memory.text(calls.sqlite3_errstr(errcode)) ?? '';
	return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode, errstr });
}

/** Error of a call that reports nothing but its code. */
export function sqliteCodeError({ calls, memory }: SqliteLibrary, errcode: number): Error {
	const message = memory.text(calls.sqlite3_errstr(errcode)) ?? '';
	return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
}

/** @throws ERR_INVALID_ARG_TYPE */
export function requireObject(value: unknown, name: string): asserts value is Record<string, unknown> {
	if ((typeof value !== 'object' && typeof value !== 'function') || value === null) throw wrongType(name, 'an object');
}

/** @throws ERR_INVALID_ARG_TYPE */
export function requireString(value: unknown, name: string): asserts value is string {
	if (typeof value !== 'string') throw wrongType(name, 'a string');
}

/** @throws ERR_INVALID_ARG_TYPE */
export function requireBoolean(value: unknown, name: string): asserts value is boolean {
	if (typeof value !== 'boolean') throw wrongType(name, 'a boolean');
}

/** @throws ERR_INVALID_ARG_TYPE */
export function requireFunction(value: unknown, name: string): asserts value is (...args: unknown[]) => unknown {
	if (typeof value !== 'function') throw wrongType(name, 'a function');
}

/** Field of options, if it is there. @throws ERR_INVALID_ARG_TYPE */
export function booleanOption(options: Record<string, unknown>, name: string, usual = false): boolean {
	const value = options[name];
	if (value === undefined) return usual;
	requireBoolean(value, `options.${name}`);
	return value;
}

/** @throws ERR_INVALID_ARG_TYPE */
export function integerOption(options: Record<string, unknown>, name: string, usual: number): number {
	const value = options[name];
	if (value === undefined) return usual;
	if (typeof value !== 'number' || (value | 0) !== value) throw wrongType(`options.${name}`, 'an integer');
	return value;
}

/** @throws ERR_INVALID_ARG_TYPE */
export function stringOption<Usual>(options: Record<string, unknown>, name: string, usual: Usual): string | Usual {
	const value = options[name];
	if (value === undefined) return usual;
	requireString(value, `options.${name}`);
	return value;
}

/** @throws ERR_INVALID_ARG_TYPE */
export function functionOption(
	options: Record<string, unknown>,
	name: string
): ((...args: unknown[]) => unknown) | undefined {
	const value = options[name];
	if (value === undefined) return undefined;
	requireFunction(value, `options.${name}`);
	return value;
}
