import { inspect } from 'node-inspect-extracted';
import { isSyscallError } from '#computer/abi/client.ts';

type ErrorClass = new (message?: string) => Error;

/** Fields of Node's errors, besides those of `Error`. */
export interface NodeError extends Error {
	code?: string;
	errno?: number;
	syscall?: string;
	path?: string;
	dest?: string;
}

/** `toString` of Node's own errors. */
function showWithCode(this: NodeError): string {
	return `${this.name} [${this.code}]: ${this.message}`;
}

/** Creates an error of Node's own modules: the code is in the stack's first line, but not in `name`. */
export function nodeError(Base: ErrorClass, code: string, message: string): NodeError {
	const error: NodeError = new Base(message);
	const name = error.name;
	Object.defineProperty(error, 'name', { value: `${name} [${code}]`, configurable: true, writable: true });
	void error.stack;
	Reflect.deleteProperty(error, 'name');
	Object.defineProperty(error, 'toString', { value: showWithCode, configurable: true, writable: true });
	error.code = code;
	return error;
}

/** Error of a connection that was closed by the other side. */
export const connectionReset = (message: string): NodeError => nodeError(Error, 'ECONNRESET', message);

/**
 * Error for a feature of Node that the sandbox does not support.
 * @param what source text of the call
 * @param advice alternative, a complete sentence
 */
export function unsupported(what: string, advice: string): NodeError {
	return nodeError(Error, 'ERR_SANDGLASS_UNSUPPORTED', `${what} does not exist in this sandbox. ${advice}`);
}

export function invalidArgument(name: string, expected: string, value: unknown): NodeError {
	const kind = name.includes('.') ? 'property' : 'argument';
	const named = name.endsWith(' argument') ? name : `"${name}" ${kind}`;
	return nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', `The ${named} must be ${expected}. Received ${received(value)}`);
}

/** Error for an argument of the right type with an invalid value. @param reason what it must be */
export function invalidValue(
	name: string,
	value: unknown,
	reason = 'is invalid',
	Base: ErrorClass = TypeError
): NodeError {
	const shown = inspect(value);
	const kind = name.includes('.') ? 'property' : 'argument';
	const cut = shown.length > 128 ? `${shown.slice(0, 128)}...` : shown;
	return nodeError(Base, 'ERR_INVALID_ARG_VALUE', `The ${kind} '${name}' ${reason}. Received ${cut}`);
}

/** Describes a value of the wrong type for a message. */
export function received(value: unknown): string {
	if (value === null || value === undefined) return String(value);
	if (typeof value === 'function') return `function ${value.name}`;
	if (typeof value === 'object') {
		const name = value.constructor?.name;
		return name ? `an instance of ${name}` : inspect(value, { depth: -1 });
	}
	const shown = inspect(value, { colors: false });
	return `type ${typeof value} (${shown.length > 28 ? `${shown.slice(0, 25)}...` : shown})`;
}

/** Node groups the digits of numbers above this limit. */
const GROUPED_FROM = 2 ** 32;

/** Error for a number outside its range. @param range requirement such as `>= 0 && <= 7` */
export function outOfRange(name: string, range: string, value: unknown): NodeError {
	const isLarge = (typeof value === 'number' && Number.isInteger(value)) || typeof value === 'bigint';
	const grouped = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, '_');
	const suffix = typeof value === 'bigint' ? 'n' : '';
	const isGrouped = isLarge && (value > GROUPED_FROM || value < -GROUPED_FROM);
	const shown = isGrouped ? grouped(String(value)) + suffix : inspect(value);
	const words = `The value of "${name}" is out of range. It must be ${range}. Received ${shown}`;
	return nodeError(RangeError, 'ERR_OUT_OF_RANGE', words);
}

/** POSIX codes: number and message, as in libuv. */
const POSIX: Record<string, [number, string]> = {
	EPERM: [1, 'operation not permitted'],
	ENOENT: [2, 'no such file or directory'],
	ESRCH: [3, 'no such process'],
	EINTR: [4, 'interrupted system call'],
	EIO: [5, 'i/o error'],
	EBADF: [9, 'bad file descriptor'],
	ECHILD: [10, 'no child processes'],
	ENXIO: [6, 'no such device or address'],
	EAGAIN: [11, 'resource temporarily unavailable'],
	ENOMEM: [12, 'not enough memory'],
	EACCES: [13, 'permission denied'],
	EBUSY: [16, 'resource busy or locked'],
	EEXIST: [17, 'file already exists'],
	EXDEV: [18, 'cross-device link not permitted'],
	ENOTDIR: [20, 'not a directory'],
	EISDIR: [21, 'illegal operation on a directory'],
	EINVAL: [22, 'invalid argument'],
	EMFILE: [24, 'too many open files'],
	ENOTTY: [25, 'inappropriate ioctl for device'],
	EFBIG: [27, 'file too large'],
	ENOSPC: [28, 'no space left on device'],
	EPIPE: [32, 'broken pipe'],
	ENAMETOOLONG: [36, 'name too long'],
	ENOSYS: [38, 'this browser shares no memory with programs, so they cannot wait; use the asynchronous way'],
	ENOTEMPTY: [39, 'directory not empty'],
	ELOOP: [40, 'too many symbolic links encountered'],
	ENODEV: [19, 'no such device'],
	EDESTADDRREQ: [89, 'destination address required'],
	EMSGSIZE: [90, 'message too long'],
	ENOTSUP: [95, 'operation not supported on socket'],
	ENOBUFS: [105, 'no buffer space available'],
	EADDRINUSE: [98, 'address already in use'],
	EADDRNOTAVAIL: [99, 'address not available'],
	ENETUNREACH: [101, 'network is unreachable'],
	ECONNABORTED: [103, 'software caused connection abort'],
	ECONNRESET: [104, 'connection reset by peer'],
	ENOTCONN: [107, 'socket is not connected'],
	ECONNREFUSED: [111, 'connection refused'],
	ETIMEDOUT: [110, 'connection timed out']
};

export const errorNumbers = Object.fromEntries(Object.entries(POSIX).map(([code, [number]]) => [code, number]));

/** `ENOENT: no such file or directory, open 'a.txt'`, with Node's fields. */
export function systemError(code: string, syscall: string, path?: string, dest?: string): NodeError {
	const [number, words] = POSIX[code] ?? [1, 'unknown error'];
	const where = path === undefined ? '' : ` '${path}'${dest === undefined ? '' : ` -> '${dest}'`}`;
	const error: NodeError = new Error(`${code}: ${words}, ${syscall}${where}`);
	error.errno = -number;
	error.code = code;
	error.syscall = syscall;
	if (path !== undefined) error.path = path;
	if (dest !== undefined) error.dest = dest;
	return error;
}

/** `util.getSystemErrorMessage`: message for a negative error number. */
export const systemMessage = (number: number): string | undefined =>
	Object.values(POSIX).find(([known]) => known === -number)?.[1];

/** Runs a call of the kernel and converts its error to Node's. */
export function asSystem<Result>(
	syscall: string,
	path: string | undefined,
	dest: string | undefined,
	run: () => Result
) {
	try {
		return run();
	} catch (error) {
		throw toSystem(error, syscall, path, dest);
	}
}

export function toSystem(error: unknown, syscall: string, path?: string, dest?: string): unknown {
	return isSyscallError(error) ? systemError(error.code, syscall, path, dest) : error;
}

export { isSyscallError };
