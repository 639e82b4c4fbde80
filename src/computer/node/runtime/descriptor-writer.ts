import type { Runtime } from './runtime.ts';
import { isSyscallError, systemError } from './errors.ts';

/** A stream's `write` that has the bytes in the kernel before it returns. */
export const descriptorWriter =
	(runtime: Runtime, descriptor: number) =>
	(chunk: Uint8Array, _encoding: string, done: (error?: Error | null) => void): void => {
		try {
			runtime.sys.write(descriptor, chunk);
			done();
		} catch (error) {
			done(isSyscallError(error) ? systemError(error.code, 'write') : (error as Error));
		}
	};
