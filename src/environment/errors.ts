/**
 * POSIX codes, `ECLOSED` (the environment was closed) and `EUNAVAILABLE` (it cannot start). `ENOTSUP`: the operation
 * does not exist here.
 */
export type ErrorCode =
	| 'ENOENT'
	| 'EISDIR'
	| 'ENOTDIR'
	| 'EEXIST'
	| 'ENOTEMPTY'
	| 'EACCES'
	| 'EINVAL'
	| 'ELOOP'
	| 'ENOSPC'
	| 'EFBIG'
	| 'EAGAIN'
	| 'EPIPE'
	| 'ESRCH'
	| 'EIO'
	| 'EBADF'
	| 'EPERM'
	| 'EXDEV'
	| 'ECLOSED'
	| 'EUNAVAILABLE'
	| 'ENOTSUP'
	| 'ECONNREFUSED';

/** The only error an {@link import('./contract.ts').ExecutionEnvironment} rejects with. */
export class EnvironmentError extends Error {
	override readonly name = 'EnvironmentError';

	/**
	 * @param code kind of error
	 * @param message a sentence without the code, which callers prepend if they want it
	 * @param path affected path, if there is one
	 */
	constructor(
		readonly code: ErrorCode,
		message: string,
		readonly path?: string
	) {
		super(message);
	}
}

export function isEnvironmentError(value: unknown): value is EnvironmentError {
	return value instanceof Error && value.name === 'EnvironmentError';
}

/** Characters of an overlong path that an error repeats: the whole path would fill a model's window. */
const MAX_REPEATED = 300;

/** Error for a path that the system refuses because of its length. */
export function pathTooLong(path: string | undefined): EnvironmentError {
	const start = path === undefined || path.length <= MAX_REPEATED ? path : `${path.slice(0, MAX_REPEATED)}…`;
	return new EnvironmentError('EINVAL', 'The path is too long', start);
}
