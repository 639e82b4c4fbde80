import { SyscallError } from './client.ts';

const sentences: Record<string, string> = {
	ENOENT: 'no such file or directory',
	EXDEV: 'cross-device link not permitted',
	EEXIST: 'file already exists',
	ENOTDIR: 'not a directory',
	EISDIR: 'illegal operation on a directory',
	ENOTEMPTY: 'directory not empty',
	EACCES: 'permission denied',
	EPERM: 'operation not permitted',
	EINVAL: 'invalid argument',
	ELOOP: 'too many symbolic links encountered',
	EBADF: 'bad file descriptor',
	EPIPE: 'broken pipe',
	ESPIPE: 'illegal seek',
	ENXIO: 'no such device or address',
	EADDRINUSE: 'address already in use',
	EINTR: 'interrupted system call',
	ESRCH: 'no such process',
	ECHILD: 'no child processes',
	EMFILE: 'too many open files',
	ENAMETOOLONG: 'file name too long',
	ENOTTY: 'not a terminal',
	ENOTCONN: 'socket is not connected',
	ENOTSOCK: 'socket operation on non-socket'
};

/** Creates the error of a POSIX code; `detail` replaces the default message. */
export function errno(code: string, path?: string, detail?: string): SyscallError {
	return new SyscallError(code, detail ?? sentences[code] ?? code, path);
}
