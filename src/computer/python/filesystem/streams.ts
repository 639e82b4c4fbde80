import { current, resize } from './content.ts';
import { type FsStream, isPipe, type Volume } from './types.ts';

const CREATE = 64;
const APPEND = 1024;
const NONBLOCK = 2048;
const EINVAL = 28;
const ENODEV = 43;
const ENOMEM = 48;
const ESPIPE = 70;
/** `O_WRONLY`, `O_RDWR`. */
const ACCESS = ['read', 'write', 'both'] as const;

/** Emscripten's operations on open files. A write is in the volume when it returns. */
export function streamOperations(volume: Volume) {
	const { fs, memory, sync, generation, guarded, pathOf } = volume;
	return {
		open(stream: FsStream) {
			const { node, flags } = stream;
			if (isPipe(node)) return void (stream.pipe = { descriptor: openPipe(volume, stream), streams: 1 });
			if (!fs.isFile(node.mode)) return;
			const path = pathOf(node);
			if (flags & CREATE && !sync.statOrNull(path)) guarded(() => sync.writeFile(path, new Uint8Array()));
			current(volume, node).streams++;
		},
		close({ node, pipe }: FsStream) {
			if (pipe !== undefined && --pipe.streams === 0) guarded(() => sync.close(pipe.descriptor));
			const { content } = node;
			if (!content) return;
			content.streams--;
			const held = content.lock;
			delete content.lock;
			if (content.streams <= 0) delete node.content;
			// Locks of a process end with the first of its descriptors that is closed.
			if (held !== undefined) guarded(() => sync.close(held));
		},
		/** Duplicates a descriptor of an open file (`os.dup`): a removed file remains as long as one is open. */
		dup({ node, pipe }: FsStream) {
			if (pipe !== undefined) pipe.streams++;
			if (node.content) node.content.streams++;
		},
		fsync() {
			return 0;
		},
		read({ node, pipe }: FsStream, into: Uint8Array, offset: number, length: number, position: number) {
			if (pipe !== undefined) {
				const bytes = guarded(() => sync.read(pipe.descriptor, length));
				into.set(bytes, offset);
				return bytes.length;
			}
			const { buffer, size } = current(volume, node);
			const count = Math.max(0, Math.min(length, size - position));
			into.set(buffer.subarray(position, position + count), offset);
			return count;
		},
		write(stream: FsStream, from: Uint8Array, offset: number, length: number, position: number) {
			// Emscripten's memory is passed as signed bytes.
			const bytes = new Uint8Array(from.buffer, from.byteOffset + offset, length).slice();
			const { pipe } = stream;
			if (pipe !== undefined) {
				guarded(() => sync.write(pipe.descriptor, bytes));
				return length;
			}
			const content = current(volume, stream.node);
			const at = stream.flags & APPEND ? content.size : position;
			if (!content.unlinked) {
				const path = pathOf(stream.node);
				guarded(() => sync.writeAt(path, bytes, at));
				content.generation = generation();
				content.modifiedMs = sync.stat(path).modifiedMs;
			}
			if (at + length > content.size) resize(content, at + length);
			content.buffer.set(bytes, at);
			return length;
		},
		/** Copies a part of a file into memory for `mmap`; `msync` and `munmap` write it back. */
		mmap({ node }: FsStream, length: number, position: number) {
			if (!fs.isFile(node.mode)) throw new fs.ErrnoError(ENODEV);
			const ptr = memory._malloc(length);
			if (ptr === 0) throw new fs.ErrnoError(ENOMEM);
			const { buffer, size } = current(volume, node);
			memory.HEAPU8.fill(0, ptr, ptr + length);
			memory.HEAPU8.set(buffer.subarray(position, Math.min(position + length, size)), ptr);
			return { ptr, allocated: true };
		},
		msync(stream: FsStream, bytes: Uint8Array, offset: number, length: number) {
			// Memory beyond the end of the file is not written.
			const count = Math.min(length, current(volume, stream.node).size - offset);
			if (count > 0) this.write(stream, bytes, 0, count, offset);
			return 0;
		},
		llseek(stream: FsStream, offset: number, whence: number) {
			if (stream.pipe !== undefined) throw new fs.ErrnoError(ESPIPE);
			let position = offset;
			if (whence === 1) position += stream.position;
			else if (whence === 2 && fs.isFile(stream.node.mode)) position += current(volume, stream.node).size;
			if (position < 0) throw new fs.ErrnoError(EINVAL);
			return position;
		}
	};
}

/** Opens a named pipe, and waits for its other end, unless a reader uses non-blocking mode. */
function openPipe({ sync, guarded, pathOf }: Volume, { node, flags }: FsStream): number {
	return guarded(() => {
		const access = ACCESS[flags & 3] ?? 'read';
		const pipe = sync.openFile(pathOf(node), access);
		if (access !== 'read' || !(flags & NONBLOCK)) sync.opened(pipe);
		return pipe;
	});
}
