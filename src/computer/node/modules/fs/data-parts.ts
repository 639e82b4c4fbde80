import { Buffer } from 'buffer';
import { aborted, bytesOf, fsOptions } from './arguments.ts';

/**
 * Joins the parts of an iterable or a stream; other data are returned unchanged.
 * @param options encoding of the parts that are strings, and a signal that aborts waiting for them
 */
export async function joined(data: unknown, options?: unknown): Promise<unknown> {
	if (!isIterable(data)) return data;
	const { encoding, signal } = fsOptions(options);
	const parts: Uint8Array[] = [];
	for await (const part of data) {
		if (signal?.aborted) throw aborted(signal);
		parts.push(bytesOf(part, encoding));
	}
	return Buffer.concat(parts);
}

function isIterable(data: unknown): data is Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array> {
	if (typeof data !== 'object' || data === null || ArrayBuffer.isView(data)) return false;
	return Symbol.asyncIterator in data || Symbol.iterator in data;
}
