import type { PathLike } from './arguments.ts';

type Methods<Stream> = { prototype: Stream };
export interface StreamClass<Stream> {
	new (path: PathLike, options?: unknown): Stream;
	(path: PathLike, options?: unknown): Stream;
}

/**
 * Makes a class callable without `new`, and on an object of a class that inherits from it the old way, as in
 * graceful-fs.
 */
export function callable<Stream extends object>(
	name: string,
	methods: Methods<Stream>,
	initialize: (stream: Stream, path: PathLike, options: unknown) => void
): StreamClass<Stream> {
	const made = function (this: unknown, path: PathLike, options?: unknown): Stream {
		const stream = this instanceof made ? (this as Stream) : (Object.create(methods.prototype) as Stream);
		initialize(stream, path, options);
		return stream;
	};
	Object.defineProperties(made, { name: { value: name }, prototype: { value: methods.prototype, writable: true } });
	Object.setPrototypeOf(made, Object.getPrototypeOf(methods) as object);
	Object.defineProperty(methods.prototype, 'constructor', { value: made, writable: true, configurable: true });
	return made as unknown as StreamClass<Stream>;
}
