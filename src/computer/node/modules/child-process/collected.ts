import { Buffer } from 'buffer';
import type { Readable } from 'node:stream';
import { nodeError } from '../../runtime/errors.ts';

/** Collects output of a child's stream up to a limit: bytes, or characters if the stream has an encoding. */
export class Collected {
	readonly #parts: (string | Buffer)[] = [];
	#length = 0;
	readonly #encoding: BufferEncoding | null;

	/**
	 * @param name stream name in the error
	 * @param encoding null collects bytes
	 * @param exceeded called once the output exceeds `limit`; the excess is dropped
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
			// The limit counts bytes, but the same number of characters is kept.
			const length = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
			this.#length += length;
			if (left > 0) this.#parts.push(length > left ? chunk.slice(0, left) : chunk);
			if (length <= left || left < 0) return;
			const words = `${name} maxBuffer length exceeded`;
			exceeded(nodeError(RangeError, 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER', words));
		});
	}

	/** The complete output. */
	get content(): string | Buffer {
		if (this.#encoding) return this.#parts.join('');
		return Buffer.concat(this.#parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
	}
}
