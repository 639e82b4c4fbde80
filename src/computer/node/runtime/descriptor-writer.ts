import type { Runtime } from './runtime.ts';
import { isSyscallError, systemError } from './errors.ts';

/** Creates a stream's `write` function, which passes the bytes to the kernel before it returns. */
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
