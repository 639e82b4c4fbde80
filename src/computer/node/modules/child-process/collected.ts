import { Buffer } from 'buffer';
import type { Readable } from 'node:stream';
import { nodeError } from '../../runtime/errors.ts';

/** Collects output of a child's stream up to a limit: bytes, or characters if the stream has an encoding. */
export class Collected {
	readonly #parts: (string | Buffer)[] = [];
	#length = 0;
	readonly #encoding: BufferEncoding | null;

	/**
	 * @param name as the error says it
	 * @param encoding null collects bytes
	 * @param exceeded called once more than `limit` came; what is over it is dropped
	 */
	constructor(
		stream: Readable | null,
		name: 'stdout' | 'stderr',
		encoding: BufferEncoding | null,
		limit: number,
		exceeded: (error: Error) => void
	) {
		this.#encoding = encoding;
		if (encoding) stream?.setEncoding(encoding);
		stream?.on('data', (chunk: string | Buffer) => {
			const left = limit - this.#length;
			// Bytes are counted, and as many characters kept.
			const length = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
			this.#length += length;
			if (left > 0) this.#parts.push(length > left ? chunk.slice(0, left) : chunk);
			if (length <= left || left < 0) return;
			const words = `${name} maxBuffer length exceeded`;
			exceeded(nodeError(RangeError, 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER', words));
		});
	}

	/** All of it. */
	get content(): string | Buffer {
		if (this.#encoding) return this.#parts.join('');
		return Buffer.concat(this.#parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
	}
}
