import type { PyodideInterface } from 'pyodide';
import { SyscallError } from '#computer/abi/client.ts';

/** Emscripten's number for what a call of the kernel answered. Anything else goes on as it is. */
export function errnoOf(python: PyodideInterface, error: unknown): number {
	if (!(error instanceof SyscallError)) throw error;
	const numbers = python.ERRNO_CODES as Record<string, number>;
	return numbers[error.code] ?? numbers['EIO'] ?? 29;
}
