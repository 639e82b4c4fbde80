import { Buffer, kMaxLength, SlowBuffer, INSPECT_MAX_BYTES } from 'buffer';

type From = (value: unknown, encoding?: unknown, length?: unknown) => Buffer;

const url = (text: string) => text.replaceAll('-', '+').replaceAll('_', '/');

/** Encodings that Node's buffers have a method of their own for, to read (`hexSlice`) and to write (`hexWrite`). */
const DIRECT = ['ascii', 'base64', 'base64url', 'latin1', 'hex', 'ucs2', 'utf8'];

/** Adds the methods that libraries call to save the look at the encoding's name. */
function addDirectMethods(): void {
	for (const encoding of DIRECT) {
		const methods: Record<string, (this: Buffer, ...args: never[]) => unknown> = {
			[`${encoding}Slice`](this: Buffer, start?: number, end?: number) {
				return this.toString(encoding as BufferEncoding, start, end);
			},
			[`${encoding}Write`](this: Buffer, text: string, offset = 0, length = this.length - offset) {
				return this.write(text, offset, length, encoding as BufferEncoding);
			}
		};
		for (const [name, value] of Object.entries(methods)) {
			Object.defineProperty(Buffer.prototype, name, { value, writable: true, enumerable: true, configurable: true });
		}
	}
}

/** The `buffer` package, plus the encoding it does not know and the targets of `copy` that are no buffers. */
function modernise(): void {
	const { from, isEncoding } = Buffer;
	const prototype = Buffer.prototype as unknown as Record<
		'toString' | 'write' | 'copy',
		(...args: unknown[]) => unknown
	>;
	if (isEncoding('base64url')) return;
	const plainToString = prototype.toString;
	const plainWrite = prototype.write;
	const plainCopy = prototype.copy;
	const isUrl = (encoding: unknown) => typeof encoding === 'string' && encoding.toLowerCase() === 'base64url';
	const fromAny: From = (value, encoding, length) =>
		typeof value === 'string' && isUrl(encoding)
			? Reflect.apply(from, Buffer, [url(value), 'base64'])
			: Reflect.apply(from, Buffer, [value, encoding, length]);
	Object.assign(Buffer, {
		from: fromAny,
		isEncoding: (encoding: unknown) => isUrl(encoding) || isEncoding(encoding as string),
		copyBytesFrom: (view: Uint8Array, offset = 0, length?: number) =>
			fromAny(view.slice(offset, length === undefined ? undefined : offset + length)),
		poolSize: 8192
	});
	// Node has no such property: libraries take a Buffer that has it for a polyfill and refuse to load.
	Reflect.deleteProperty(Buffer, 'TYPED_ARRAY_SUPPORT');
	addDirectMethods();
	prototype.toString = function (this: Buffer, ...args: unknown[]) {
		if (!isUrl(args[0])) return plainToString.apply(this, args);
		const text = plainToString.call(this, 'base64', args[1], args[2]) as string;
		return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
	};
	prototype.copy = function (this: Buffer, target: unknown, ...rest: unknown[]) {
		const isPlain = target instanceof Uint8Array && !Buffer.isBuffer(target);
		const place = isPlain ? Buffer.from(target.buffer, target.byteOffset, target.byteLength) : target;
		return plainCopy.call(this, place, ...rest);
	};
	prototype.write = function (this: Buffer, ...args: unknown[]) {
		if (!isUrl(args.at(-1))) return plainWrite.apply(this, args);
		return plainWrite.call(this, url(String(args[0])), ...args.slice(1, -1), 'base64');
	};
}

modernise();

/** `node:buffer`. */
export function createBufferModule(): Record<string, unknown> {
	return {
		Buffer,
		SlowBuffer,
		INSPECT_MAX_BYTES,
		kMaxLength,
		kStringMaxLength: 2 ** 29 - 24,
		constants: { MAX_LENGTH: kMaxLength, MAX_STRING_LENGTH: 2 ** 29 - 24 },
		Blob,
		File,
		atob,
		btoa,
		isUtf8: (bytes: Uint8Array) => {
			try {
				new TextDecoder('utf-8', { fatal: true }).decode(bytes);
				return true;
			} catch {
				// Not UTF-8: the answer.
				return false;
			}
		},
		isAscii: (bytes: Uint8Array) => bytes.every((byte) => byte < 128),
		transcode: (bytes: Uint8Array, from: BufferEncoding, to: BufferEncoding) =>
			Buffer.from(Buffer.from(bytes).toString(from), to)
	};
}
