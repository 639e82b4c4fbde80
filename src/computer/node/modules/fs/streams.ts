import type { PathLike } from './arguments.ts';
import { readStreamClass } from './read-stream.ts';
import type { StreamCalls } from './stream-file.ts';
import { writeStreamClass } from './write-stream.ts';

/** `fs.ReadStream` and `fs.WriteStream`, with or without `new`. @param fs the module whose calls they make */
export function streamClasses(fs: Record<string, unknown>) {
	const module = fs as unknown as StreamCalls;
	const ReadStream = readStreamClass(module);
	const WriteStream = writeStreamClass(module);
	return {
		ReadStream,
		WriteStream,
		createReadStream: function createReadStream(path: PathLike, options?: unknown) {
			return new ReadStream(path, options);
		},
		createWriteStream: function createWriteStream(path: PathLike, options?: unknown) {
			return new WriteStream(path, options);
		}
	};
}
