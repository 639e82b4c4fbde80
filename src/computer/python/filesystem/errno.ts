import type { PyodideInterface } from 'pyodide';
import { SyscallError } from '#computer/abi/client.ts';

/** Converts an error of the kernel to Emscripten's errno. Other errors are rethrown. */
export function errnoOf(python: PyodideInterface, error: unknown): number {
	if (!(error instanceof SyscallError)) throw error;
	const numbers = python.ERRNO_CODES as Record<string, number>;
	return numbers[error.code] ?? numbers['EIO'] ?? 29;
}
