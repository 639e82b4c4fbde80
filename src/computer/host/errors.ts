import { EnvironmentError, pathTooLong, type ErrorCode } from '#environment/errors.ts';

const CODES: Record<ErrorCode, true> = {
	ENOENT: true,
	EISDIR: true,
	ENOTDIR: true,
	EEXIST: true,
	ENOTEMPTY: true,
	EACCES: true,
	EINVAL: true,
	ELOOP: true,
	ENOSPC: true,
	EFBIG: true,
	EAGAIN: true,
	EPIPE: true,
	ESRCH: true,
	EIO: true,
	EBADF: true,
	EPERM: true,
	EXDEV: true,
	ECLOSED: true,
	EUNAVAILABLE: true,
	ENOTSUP: true,
	ECONNREFUSED: true
};

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(CODES, code);

/** Converts the kernel's failure to the contract's error. A code the contract does not have becomes `EIO`. */
export function toEnvironmentError(failure: { code: string; message: string; path?: string }): EnvironmentError {
	const { code, message, path } = failure;
	if (code === 'ENAMETOOLONG') return pathTooLong(path);
	// `rg: command not found` begins with a name, which stays as it is.
	const sentence = /^\S+: /.test(message) ? message : message.charAt(0).toUpperCase() + message.slice(1);
	const text = path && !message.includes(path) ? `${sentence}: ${path}` : sentence;
	return new EnvironmentError(isErrorCode(code) ? code : 'EIO', text, path);
}
