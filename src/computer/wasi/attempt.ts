import { isSyscallError } from '#computer/abi/client.ts';
import { errnoOf } from './types.ts';

/** Runs a call of the kernel for WASI: a failure is returned as an error number. */
export function attempt(work: () => number): number {
	try {
		return work();
	} catch (error) {
		if (isSyscallError(error)) return errnoOf(error.code);
		throw error;
	}
}
