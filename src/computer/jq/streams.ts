import { SyscallError, type SyncSyscalls } from '#computer/abi/client.ts';
import type { EmscriptenFs, FsStream } from './emscripten.ts';

const EIO = 29;
/** Major number of our own devices, which Emscripten does not use. */
const MAJOR = 64;
/** The C library writes 1 KB at a time, and a call of the kernel takes as long for 64 KB. */
const FULL_BYTES = 65_536;

/**
 * Connects standard input, output and error to the process's own descriptors. Buffered output is written before jq
 * waits for input; the returned function writes the rest.
 */
export function connectStreams(fs: EmscriptenFs, sync: SyncSyscalls): () => void {
	const guarded = <Value>(work: () => Value): Value => {
		try {
			return work();
		} catch (error) {
			if (!(error instanceof SyscallError)) throw error;
			// Without a reader the program ends as by a signal.
			throw error.code === 'EPIPE' ? error : new fs.ErrnoError(EIO);
		}
	};
	const waiting = new Uint8Array(FULL_BYTES);
	let size = 0;
	const flush = () => {
		const ready = waiting.slice(0, size);
		size = 0;
		if (ready.length > 0) guarded(() => sync.write(1, ready));
	};
	const write = (descriptor: 1 | 2, bytes: Uint8Array) => {
		if (descriptor === 2 || size + bytes.length > FULL_BYTES) flush();
		if (descriptor === 2 || bytes.length > FULL_BYTES) return guarded(() => sync.write(descriptor, bytes.slice()));
		waiting.set(bytes, size);
		size += bytes.length;
	};
	const read = (length: number) => {
		flush();
		return guarded(() => sync.read(0, length));
	};
	for (const descriptor of [0, 1, 2] as const) {
		const stream = fs.getStream(descriptor);
		if (!stream) throw new Error(`jq has no descriptor ${descriptor}.`);
		stream.tty = sync.isTerminal(descriptor) ? stream.tty : undefined;
		stream.stream_ops = {
			open: () => undefined,
			read(_stream: FsStream, into: Uint8Array, offset: number, length: number) {
				const bytes = read(length);
				into.set(bytes, offset);
				return bytes.length;
			},
			write(_stream: FsStream, from: Uint8Array, offset: number, length: number) {
				// Emscripten's memory is passed as signed bytes.
				write(descriptor === 2 ? 2 : 1, new Uint8Array(from.buffer, from.byteOffset + offset, length));
				return length;
			}
		};
		replaceDevice(fs, ['/dev/stdin', '/dev/stdout', '/dev/stderr'][descriptor]!, descriptor, stream.stream_ops);
	}
	return flush;
}

/** Opening a stream by name returns the process's own as well. */
function replaceDevice(fs: EmscriptenFs, path: string, descriptor: number, operations: object): void {
	const device = fs.makedev(MAJOR, descriptor);
	fs.registerDevice(device, operations);
	fs.unlink(path);
	fs.mkdev(path, 0o666, device);
}
