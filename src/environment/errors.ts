/** POSIX codes, and three of our own: environment closed, environment cannot start, what was asked does not exist here. */
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
	 * @param code what went wrong
	 * @param message a sentence; without the code, which callers print in front where they want it
	 * @param path the path it is about, where there is one
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

/** Longest part of a path that is too long which an error repeats, characters: the whole would fill a model's window. */
const MAX_REPEATED = 300;

/** The error for a path that the system refuses for its length. */
export function pathTooLong(path: string | undefined): EnvironmentError {
	const start = path === undefined || path.length <= MAX_REPEATED ? path : `${path.slice(0, MAX_REPEATED)}…`;
	return new EnvironmentError('EINVAL', 'The path is too long', start);
}
