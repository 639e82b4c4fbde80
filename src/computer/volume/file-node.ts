import { Buffer } from 'node:buffer';
import { Node } from '@jsonjoy.com/fs-core';
import { Content } from './content.ts';

/**
 * Node of a file. Its bytes are a {@link Content}, since memfs writes into its buffer in place and copies it at each
 * read; memfs's own methods see the same bytes.
 */
export class FileNode extends Node {
	#content = new Content();

	/** Only changed through {@link FileNode.change}, which updates the times. */
	get content(): Content {
		return this.#content;
	}

	/** Replaces the content object without counting as a change. */
	hold(content: Content): void {
		this.#content = content;
	}

	change(change: (content: Content) => void): void {
		change(this.#content);
		this.mtime = new Date();
	}

	override getSize(): number {
		return this.#content.size;
	}

	override getBuffer(): Buffer {
		return Buffer.from(this.#content.peek());
	}

	override setBuffer(buffer: Buffer): void {
		this.change((content) => content.replace(new Uint8Array(buffer)));
	}

	override setString(text: string): void {
		this.change((content) => content.replace(new TextEncoder().encode(text)));
	}

	override read(into: ArrayBufferView, offset = 0, length = into.byteLength, position = 0): number {
		const bytes = this.#content.peek(position, position + Math.min(length, into.byteLength - offset));
		new Uint8Array(into.buffer, into.byteOffset, into.byteLength).set(bytes, offset);
		return bytes.length;
	}

	override write(buffer: Uint8Array, offset = 0, length = buffer.length, position = 0): number {
		const bytes = buffer.subarray(offset, offset + length);
		this.change((content) => content.writeAt(bytes, position));
		return bytes.length;
	}

	override truncate(size = 0): void {
		this.change((content) => content.truncate(Math.max(0, size)));
	}
}
