import { Buffer } from 'buffer';
import type { Runtime } from '../../runtime/runtime.ts';
import { toSystem } from '../../runtime/errors.ts';

type Done = (error: unknown, count?: number, target?: Uint8Array) => void;
interface ReadOptions {
	buffer?: Uint8Array;
	offset?: number;
	length?: number;
}

/**
 * `fs.read` of standard input: the program goes on while nothing is there to be read, which a call that waits in the
 * kernel would not let it.
 * @param args what stands between the descriptor and the callback
 */
export function readInput(runtime: Runtime, args: unknown[], done: Done): void {
	const [first, second, third] = args;
	const given = (ArrayBuffer.isView(first) ? second : first) as ReadOptions | number | undefined;
	const options: ReadOptions =
		typeof given === 'object' && given !== null ? given : { offset: Number(given ?? 0), length: third as number };
	const target = ArrayBuffer.isView(first) ? (first as Uint8Array) : (options.buffer ?? Buffer.alloc(16_384));
	const { offset = 0, length = target.byteLength - offset } = options;
	const { loop } = runtime;
	loop.holdWhile(runtime.async.read(0, length)).then(
		(bytes) => {
			new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(bytes, offset);
			loop.enter(() => done(null, bytes.length, target));
		},
		(error: unknown) => loop.enter(() => done(toSystem(error, 'read')))
	);
}
