import type { Runtime } from '../../runtime/runtime.ts';
import { toSystem } from '../../runtime/errors.ts';
import type { ReadTarget } from './transfer.ts';

type Done = (error: unknown, count?: number, target?: Uint8Array) => void;

/**
 * `fs.read` of standard input or a named pipe, using the kernel's descriptor: the program continues while there is no
 * input, unlike with a blocking call.
 */
export function readInput(
	runtime: Runtime,
	descriptor: number,
	{ target, offset, length }: ReadTarget,
	done: Done
): void {
	const { loop } = runtime;
	loop.holdWhile(runtime.async.read(descriptor, length)).then(
		(bytes) => {
			new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(bytes, offset);
			loop.enter(() => done(null, bytes.length, target));
		},
		(error: unknown) => loop.enter(() => done(toSystem(error, 'read')))
	);
}
