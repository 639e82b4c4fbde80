import { encode } from '../bytes.ts';
import { splitLines as splitText } from '#environment/lines.ts';

/** Converts bytes to a string of characters 0–255: compared and printed content need not be UTF-8. */
export function binaryText(content: Uint8Array): string {
	let text = '';
	for (let at = 0; at < content.length; at += 8192) text += String.fromCharCode(...content.subarray(at, at + 8192));
	return text;
}

/** Converts a string made by `binaryText` back to bytes. */
export function binaryBytes(text: string): Uint8Array {
	const bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
	return bytes;
}

/** Converts a name to binary text, in UTF-8. */
export const nameText = (name: string): string => (/[^\x00-\x7f]/.test(name) ? binaryText(encode(name)) : name);

/** Splits content into lines of binary text, each with its newline except perhaps the last. */
export function splitLines(content: Uint8Array): string[] {
	return splitText(binaryText(content));
}

/** git's test for binary content: a NUL byte among the first 8,000. */
export const isBinary = (content: Uint8Array): boolean => content.subarray(0, 8000).includes(0);
