import { isSyscallError, systemError } from '../../runtime/errors.ts';

export interface Address {
	address: string;
	family: 'IPv4' | 'IPv6';
	port: number;
}

export function isIP(text: unknown): 0 | 4 | 6 {
	const address = String(text);
	if (/^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(address)) return 4;
	const [, plain = ''] = /^([^%]*)(?:%[\da-zA-Z.:-]+)?$/.exec(address) ?? [];
	return plain.includes(':') && URL.canParse(`http://[${plain}]/`) ? 6 : 0;
}

/** Result of `address()` for a given host. */
export function addressOf(host: string | undefined, port: number): Address {
	const address = host === undefined || host === '' ? '::' : host === 'localhost' ? '127.0.0.1' : host;
	return { address, family: isIP(address) === 6 ? 'IPv6' : 'IPv4', port };
}

/** Converts a failed kernel call to Node's network error: `connect ECONNREFUSED 127.0.0.1:3000`. */
export function networkError(
	error: unknown,
	syscall: 'connect' | 'listen',
	host: string | undefined,
	port: number
): Error {
	if (!isSyscallError(error)) return error instanceof Error ? error : new Error(String(error));
	if (syscall === 'connect' && error.code === 'ENETUNREACH' && host !== undefined && isIP(host) === 0) {
		return notFound(host, error);
	}
	const { address } = addressOf(host, port);
	const made = failureAt(`${address}:${port}`, error.code, syscall);
	if (syscall === 'connect') made.message += advice(error);
	return Object.assign(made, { address, port });
}

/** Error of a request to a host outside, or of its refusal, with the message of the refusing side. */
export function outsideFailure(error: { code: string; message: string }, hostname: string): Error {
	if (error.code === 'ENOTFOUND') return notFound(hostname, error);
	return Object.assign(systemError(error.code, 'connect'), { message: error.message });
}

/** Error for a host name: only the sandbox's own can be resolved. */
function notFound(hostname: string, cause: { code: string; message: string }): Error {
	const made = systemError('ENOTFOUND', 'getaddrinfo');
	made.message = `getaddrinfo ENOTFOUND ${hostname}${advice(cause)}`;
	return Object.assign(made, { errno: -3008, hostname });
}

/** Converts a failed call on a socket file to Node's error: `connect ENOENT /tmp/a.sock`. */
export function socketFileError(error: unknown, syscall: 'connect' | 'listen', path: string): Error {
	if (!isSyscallError(error)) return error instanceof Error ? error : new Error(String(error));
	// For a server in a missing directory, Node's library returns EACCES.
	const code = syscall === 'listen' && error.code === 'ENOENT' ? 'EACCES' : error.code;
	return Object.assign(failureAt(path, code, syscall), { address: path }, syscall === 'listen' ? { port: -1 } : {});
}

/** Error of a worker in a cluster whose primary could not open the address. */
export function sharedError(code: string, address: string | null, port: number): Error {
	const made = systemError(code, 'bind');
	made.message = `bind ${code} ${address ?? 'null'}${port > 0 ? `:${port}` : ''}`;
	return Object.assign(made, { address }, port === 0 ? {} : { port });
}

/** Error of a call on an address, which its message contains. */
function failureAt(place: string, code: string, syscall: 'connect' | 'listen'): Error {
	const made = systemError(code, syscall);
	const words = made.message.slice(code.length + 2, -2 - syscall.length);
	made.message = syscall === 'listen' ? `listen ${code}: ${words} ${place}` : `connect ${code} ${place}`;
	return made;
}

/** Explanation in cases where Node's own message is not sufficient. */
function advice({ code, message }: { code: string; message: string }): string {
	return code === 'ENETUNREACH' ? ` (${message})` : '';
}
