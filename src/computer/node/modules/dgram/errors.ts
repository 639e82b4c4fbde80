import { isSyscallError, nodeError, systemError } from '../../runtime/errors.ts';

/** Node's error of a call on a socket of datagrams: `send EMSGSIZE 127.0.0.1:9`. */
export function addressError(error: unknown, syscall: string, address?: string, port?: number): Error {
	if (!isSyscallError(error)) return error instanceof Error ? error : new Error(String(error));
	const made = systemError(error.code, syscall);
	const place = address ? ` ${address}${port ? `:${port}` : ''}` : '';
	// What only the sandbox refuses, it explains: other hosts, and calls that have to wait for it.
	const advice = ['ENETUNREACH', 'ENOSYS'].includes(error.code) ? ` (${error.message})` : '';
	made.message = `${syscall} ${error.code}${place}${advice}`;
	return Object.assign(made, { address }, port ? { port } : {});
}

/** Node's error of a call without an address: `setTTL EINVAL`. */
export function callError(error: unknown, syscall: string): Error {
	const code = typeof error === 'string' ? error : isSyscallError(error) ? error.code : null;
	if (code === null) return error as Error;
	return Object.assign(systemError(code, syscall), { message: `${syscall} ${code}` });
}

/** @param name `recv` or `send` */
export function bufferSizeError(name: string, code: 'EBADF' | 'EINVAL'): Error {
	const syscall = `uv_${name}_buffer_size`;
	const { errno } = systemError(code, syscall);
	const message = code === 'EBADF' ? 'bad file descriptor' : 'invalid argument';
	const words = `Could not get or set buffer size: ${syscall} returned ${code} (${message})`;
	const made = nodeError(Error, 'ERR_SOCKET_BUFFER_SIZE', words);
	Object.defineProperty(made, 'name', { value: 'SystemError', configurable: true, writable: true });
	return Object.assign(made, { info: { errno, code, message, syscall }, errno, syscall });
}

export const notRunning = () => nodeError(Error, 'ERR_SOCKET_DGRAM_NOT_RUNNING', 'Not running');
export const notConnected = () => nodeError(Error, 'ERR_SOCKET_DGRAM_NOT_CONNECTED', 'Not connected');
