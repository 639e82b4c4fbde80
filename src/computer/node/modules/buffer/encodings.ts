import { Buffer } from 'buffer';
import { nodeError } from '../../runtime/errors.ts';

/** Lower-case names, and Node's name of each encoding. */
const NAMES: Readonly<Record<string, BufferEncoding>> = {
	utf8: 'utf8',
	'utf-8': 'utf8',
	ucs2: 'utf16le',
	'ucs-2': 'utf16le',
	utf16le: 'utf16le',
	'utf-16le': 'utf16le',
	latin1: 'latin1',
	binary: 'latin1',
	base64: 'base64',
	base64url: 'base64url',
	hex: 'hex',
	ascii: 'ascii'
};

/** Encoding for a name; undefined for an unknown one. */
export function encodingOf(name: unknown): BufferEncoding | undefined {
	const key = String(name).toLowerCase();
	return Object.hasOwn(NAMES, key) ? NAMES[key] : undefined;
}

/** Encoding for a name. @throws ERR_UNKNOWN_ENCODING */
export function checkEncoding(name: unknown): BufferEncoding {
	const encoding = encodingOf(name);
	if (encoding) return encoding;
	throw nodeError(TypeError, 'ERR_UNKNOWN_ENCODING', `Unknown encoding: ${String(name)}`);
}

/** Makes `Buffer.isEncoding` accept Node's names. */
export function defineEncodings(): void {
	Object.assign(Buffer, {
		isEncoding: (name: unknown) => typeof name === 'string' && name !== '' && encodingOf(name) !== undefined
	});
}
