import { nodeError } from '../../runtime/errors.ts';
import { bufferSizeError } from './errors.ts';

/** As in Linux: usual size, largest that a program may ask for, and smallest, in bytes. */
const USUAL_BYTES = 212_992;
const MOST_BYTES = 212_992;
const LEAST_BYTES = { recv: 2304, send: 4608 } as const;

type Direction = 'recv' | 'send';

/** Sizes of the buffers of a socket, of which Linux reports the double. */
export class BufferSizes {
	readonly #bytes = { recv: USUAL_BYTES, send: USUAL_BYTES };

	/** @returns size of the buffer in the kernel. @throws ERR_SOCKET_BAD_BUFFER_SIZE, ERR_SOCKET_BUFFER_SIZE */
	set(direction: Direction, size: unknown, isOpen: boolean): number {
		if (typeof size !== 'number' || size >>> 0 !== size) {
			throw nodeError(TypeError, 'ERR_SOCKET_BAD_BUFFER_SIZE', 'Buffer size must be a positive integer');
		}
		if (size > 2 ** 31 - 1) throw bufferSizeError(direction, 'EINVAL');
		// To set none reads it.
		if (size === 0) return this.get(direction, isOpen);
		if (!isOpen) throw bufferSizeError(direction, 'EBADF');
		this.#bytes[direction] = Math.max(LEAST_BYTES[direction], 2 * Math.min(size, MOST_BYTES));
		return this.#bytes[direction];
	}

	/** @throws ERR_SOCKET_BUFFER_SIZE */
	get(direction: Direction, isOpen: boolean): number {
		if (!isOpen) throw bufferSizeError(direction, 'EBADF');
		return this.#bytes[direction];
	}
}
