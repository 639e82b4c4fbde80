/** WASI preview 1 error numbers (https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md). */
export const Errno = {
	success: 0,
	access: 2,
	badDescriptor: 8,
	exists: 20,
	invalid: 28,
	io: 29,
	isDirectory: 31,
	loop: 32,
	nameTooLong: 37,
	noEntry: 44,
	noSpace: 51,
	notDirectory: 54,
	notEmpty: 55,
	notSocket: 57,
	notSupported: 58,
	notPermitted: 63,
	brokenPipe: 64,
	readOnly: 69,
	notCapable: 76
} as const;

export const FileType = { unknown: 0, character: 2, directory: 3, regular: 4, socket: 6, symlink: 7 } as const;

const CODES: Record<string, number> = {
	ENOENT: Errno.noEntry,
	ENOTDIR: Errno.notDirectory,
	EISDIR: Errno.isDirectory,
	EACCES: Errno.access,
	ELOOP: Errno.loop,
	EINVAL: Errno.invalid,
	EPIPE: Errno.brokenPipe,
	EBADF: Errno.badDescriptor,
	EEXIST: Errno.exists,
	ENOTEMPTY: Errno.notEmpty,
	EROFS: Errno.readOnly,
	EPERM: Errno.notPermitted,
	ENOSPC: Errno.noSpace,
	ENAMETOOLONG: Errno.nameTooLong
};

/** Converts an error code of the kernel to WASI's number. */
export const errnoOf = (code: string) => CODES[code] ?? Errno.io;

/** The program ended by `proc_exit`. */
export class WasiExit extends Error {
	constructor(readonly code: number) {
		super(`exit ${code}`);
	}
}
