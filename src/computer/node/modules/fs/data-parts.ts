import { Buffer } from 'buffer';

/** @returns the parts of an iterable or a stream as one; other data as it is */
export async function joined(data: unknown): Promise<unknown> {
	if (!isIterable(data)) return data;
	const parts: Uint8Array[] = [];
	for await (const part of data) parts.push(typeof part === 'string' ? Buffer.from(part) : part);
	return Buffer.concat(parts);
}

function isIterable(data: unknown): data is Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array> {
	if (typeof data !== 'object' || data === null || ArrayBuffer.isView(data)) return false;
	return Symbol.asyncIterator in data || Symbol.iterator in data;
}
