import { unzlibSync } from 'fflate';
import { inflateInto } from '#environment/archive/inflate.ts';
import { decode } from '../bytes.ts';
import { objectId, OBJECT_TYPES, type GitObject } from './object.ts';

/** Result of validating an object file: the object, or one message per fault. */
export type LooseReading = { object: GitObject; faults: [] } | { object: null; faults: string[] };

/** Header of an object: its type and size, and a NUL byte. */
const HEAD = /^([a-z]+) (\d+)\0/;
const HEAD_BYTES = 32;

/**
 * Reads an object file and checks that it is complete, matches its id and has no trailing data. @param shown its path
 * as shown in messages
 */
export function readLoose(id: string, bytes: Uint8Array, shown: string): LooseReading {
	const corrupt = (...faults: string[]): LooseReading => ({
		object: null,
		faults: [...faults, `${id}: object corrupt or missing: ${shown}`]
	});
	if (bytes.length === 0) return corrupt(`object file ${shown} is empty`);
	let whole: Uint8Array;
	try {
		whole = unzlibSync(bytes);
	} catch {
		const isHead = ((bytes[0] ?? 0) & 15) === 8 && ((bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)) % 31 === 0;
		return isHead
			? corrupt(`unable to unpack contents of ${shown}`)
			: corrupt('inflate: data stream error (incorrect header check)', `unable to unpack header of ${shown}`);
	}
	const [head, type = '', size] = HEAD.exec(decode(whole.subarray(0, HEAD_BYTES))) ?? [];
	if (head === undefined) return corrupt(`unable to parse header of ${shown}`);
	const content = whole.subarray(head.length);
	if (content.length !== Number(size)) return corrupt(`unable to unpack contents of ${shown}`);
	if (inflateInto(bytes, 0, new Uint8Array(whole.length)) < bytes.length)
		return corrupt(`garbage at end of loose object '${id}'`, `unable to unpack contents of ${shown}`);
	const real = objectId(type, content);
	const known = OBJECT_TYPES.find((one) => one === type);
	const faults = [
		...(real === id ? [] : [`${real}: hash-path mismatch, found at: ${shown}`]),
		...(known ? [] : [`${real}: object is of unknown type '${type}': ${shown}`])
	];
	return known && real === id ? { object: { type: known, content }, faults: [] } : { object: null, faults };
}
