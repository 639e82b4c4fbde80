import { EnvironmentError, isEnvironmentError, pathTooLong, type ErrorCode } from './errors.ts';

const SENTENCES: Partial<Record<ErrorCode, string>> = {
	ENOENT: 'There is no such file or directory',
	EISDIR: 'This is a directory',
	ENOTDIR: 'A part of this path is not a directory',
	EEXIST: 'This path exists already',
	ENOTEMPTY: 'The directory is not empty',
	EACCES: 'Permission denied',
	EPERM: 'Operation not permitted',
	EINVAL: 'This is not valid here',
	ELOOP: 'Too many symbolic links, one leading to another',
	ENOSPC: 'The disk is full',
	EFBIG: 'The file is too large',
	EXDEV: 'The two paths are on different file systems'
};

const isKnownCode = (code: string): code is ErrorCode => code in SENTENCES;

/**
 * Converts a Node error to an error of the contract.
 *
 * @param path the path as the caller gave it
 */
export function toEnvironmentError(error: unknown, path?: string): EnvironmentError {
	if (isEnvironmentError(error)) return error;
	const raw = codeIn(error);
	if (raw === 'ENAMETOOLONG') return pathTooLong(path);
	if (raw === 'ERR_INVALID_ARG_VALUE')
		return new EnvironmentError('EINVAL', 'A path must not hold a null character', path);
	if (raw.startsWith('ERR_FS_EISDIR')) return new EnvironmentError('EISDIR', 'This is a directory', path);
	const code: ErrorCode = isKnownCode(raw) ? raw : 'EIO';
	const sentence =
		SENTENCES[code] ?? `The file system failed: ${error instanceof Error ? error.message : String(error)}`;
	return new EnvironmentError(code, path === undefined ? sentence : `${sentence}: ${path}`, path);
}

/** An error that crossed a port may contain its code only at the start of its message. */
function codeIn(error: unknown): string {
	if (!(error instanceof Error)) return '';
	if ('code' in error && typeof error.code === 'string') return error.code;
	return /^(E[A-Z]+):/.exec(error.message)?.[1] ?? '';
}

/** Returns true if nothing exists at the path, whichever part of it is missing. */
export function isMissing(error: unknown): boolean {
	return ['ENOENT', 'ENOTDIR'].includes(codeIn(error));
}
