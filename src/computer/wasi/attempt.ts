import { isSyscallError } from '#computer/abi/client.ts';
import { errnoOf } from './types.ts';

/** A call of the kernel's as WASI answers it: a failure is a number. */
export function attempt(work: () => number): number {
	try {
		return work();
	} catch (error) {
		if (isSyscallError(error)) return errnoOf(error.code);
		throw error;
	}
}
