import type { Syscalls } from './syscalls.ts';

/** System calls as a process makes them synchronously: it sleeps until each is answered. */
export type SyncSyscalls = Syscalls;

/** The same calls, each returning a promise. */
export type AsyncSyscalls = {
	[Name in keyof Syscalls]: (...args: Parameters<Syscalls[Name]>) => Promise<ReturnType<Syscalls[Name]>>;
};

/** A call failed; `code` is POSIX (`ENOENT`, `EPIPE` …). */
export class SyscallError extends Error {
	override readonly name = 'SyscallError';
	constructor(
		readonly code: string,
		message: string,
		readonly path?: string
	) {
		super(message);
	}
}

/** Compares the name: a program may have its own copy of the class. */
export function isSyscallError(error: unknown): error is SyscallError {
	return error instanceof Error && error.name === 'SyscallError' && 'code' in error;
}
