import { Buffer } from 'buffer';
import { invalidArgument, nodeError } from '../../runtime/errors.ts';
import { checkOffset } from './checks.ts';
import { checkEncoding } from './encodings.ts';

type Method = (...args: unknown[]) => unknown;

const methods = Buffer.prototype as unknown as Record<'toString' | 'write', Method>;
const { toString: plainToString, write: plainWrite } = methods;
const plainFrom = Buffer.from.bind(Buffer) as unknown as Method;
const plainByteLength = Buffer.byteLength.bind(Buffer) as unknown as Method;

/** Encodings for which Node's buffers have separate methods, to read (`hexSlice`) and to write (`hexWrite`). */
const DIRECT = ['ascii', 'base64', 'base64url', 'latin1', 'hex', 'ucs2', 'utf8'];

/** Converts base64 to the alphabet that the package knows. */
const usual = (text: string) => text.replaceAll('-', '+').replaceAll('_', '/');

/** Creates a buffer from a string. @param given a known encoding, or none */
export function fromText(text: string, given: unknown): Buffer {
	const encoding = typeof given === 'string' && given !== '' ? checkEncoding(given) : 'utf8';
	const args = encoding === 'base64url' ? [usual(text), 'base64'] : [text, encoding];
	return plainFrom(...args) as Buffer;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Below this size, calling the decoder for ASCII bytes takes longer than converting them directly. */
const SHORT = 24;

function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
	if (end - start <= SHORT) {
		let at = start;
		while (at < end && (bytes[at] ?? 0) < 0x80) at++;
		if (at === end) return String.fromCharCode(...bytes.subarray(start, end));
	}
	// Browsers cannot decode shared memory.
	const part = isShared(bytes.buffer) ? bytes.slice(start, end) : bytes.subarray(start, end);
	return utf8.decode(part as Uint8Array<ArrayBuffer>);
}

function decode(bytes: Uint8Array, encoding: string, start: number, end: number): string {
	if (encoding === 'utf8') return decodeUtf8(bytes, start, end);
	if (encoding !== 'base64url') return Reflect.apply(plainToString, bytes, [encoding, start, end]) as string;
	const text = Reflect.apply(plainToString, bytes, ['base64', start, end]) as string;
	return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function encode(bytes: Uint8Array, text: unknown, offset: number, length: number, encoding: string): number {
	if (typeof text !== 'string') throw nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'argument must be a string');
	const args = encoding === 'base64url' ? [usual(text), offset, length, 'base64'] : [text, offset, length, encoding];
	return Reflect.apply(plainWrite, bytes, args) as number;
}

function toText(this: Uint8Array, given?: unknown, from?: unknown, to?: unknown): string {
	const start = Math.trunc(Number(from)) || 0;
	const end = to === undefined ? this.length : Math.trunc(Number(to)) || 0;
	const encoding = given === undefined ? 'utf8' : checkEncoding(given);
	if (start >= this.length || end <= Math.max(start, 0)) return '';
	return decode(this, encoding, Math.max(start, 0), Math.min(end, this.length));
}

function writeText(this: Uint8Array, text: unknown, offset?: unknown, length?: unknown, encoding?: unknown): number {
	const [start, count, name] = places(this.length, offset, length, encoding);
	return encode(this, text, start, count, name ? checkEncoding(name) : 'utf8');
}

/** Offset, length and encoding for a text, with all forms of omitted arguments. */
function places(size: number, offset: unknown, length: unknown, encoding: unknown): [number, number, unknown] {
	if (offset === undefined && length === undefined) return [0, size, encoding];
	if (typeof offset === 'string' && length === undefined) return [0, size, offset];
	checkOffset(offset, 'offset', size);
	const left = size - offset;
	if (length === undefined) return [offset, left, encoding];
	if (typeof length === 'string') return [offset, left, length];
	checkOffset(length, 'length', size);
	return [offset, Math.min(length, left), encoding];
}

/** Adds the methods that libraries call to avoid looking up the encoding's name. */
function defineDirectMethods(): void {
	for (const encoding of DIRECT) {
		const direct: Record<string, (this: Buffer, ...args: never[]) => unknown> = {
			[`${encoding}Slice`](this: Buffer, start?: number, end?: number) {
				return Reflect.apply(toText, this, [encoding, start, end]);
			},
			[`${encoding}Write`](this: Buffer, text: string, offset = 0, length = this.length - offset) {
				return encode(this, text, offset, length, encoding);
			}
		};
		for (const [name, value] of Object.entries(direct)) {
			Object.defineProperty(Buffer.prototype, name, { value, writable: true, enumerable: true, configurable: true });
		}
	}
}

/** Adds the text conversions to `Buffer`, with Node's checks and the encoding the package lacks. */
export function defineText(): void {
	defineDirectMethods();
	Object.assign(Buffer.prototype, { toString: toText, toLocaleString: toText, write: writeText });
	Object.assign(Buffer, {
		byteLength(value: unknown, given?: unknown) {
			if (typeof value !== 'string') {
				if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || isShared(value)) return value.byteLength;
				throw invalidArgument('string', 'of type string or an instance of Buffer or ArrayBuffer', value);
			}
			const name = String(given).toLowerCase();
			return plainByteLength(value, name === 'base64url' ? 'base64' : given);
		}
	});
}

const isShared = (value: unknown): value is SharedArrayBuffer =>
	typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer;
