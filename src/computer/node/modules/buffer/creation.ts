import { Buffer } from 'buffer';
import { invalidArgument } from '../../runtime/errors.ts';
import { checkBytes, checkNumber, checkOffset, MAX_LENGTH, outOfBounds } from './checks.ts';
import { checkEncoding } from './encodings.ts';

type From = (value: unknown, encoding?: unknown, length?: unknown) => Buffer;

const SOURCES = 'of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object';

const isArrayBuffer = (value: unknown): value is ArrayBufferLike =>
	/^\[object (?:Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value)) && isReal(value);

/** An object of another realm is accepted, one that only inherits from ArrayBuffer is not. */
function isReal(value: unknown): boolean {
	return [ArrayBuffer, globalThis.SharedArrayBuffer].some((kind) => {
		const get = kind && Object.getOwnPropertyDescriptor(kind.prototype, 'byteLength')?.get;
		try {
			return get !== undefined && Reflect.apply(get, value, []) !== undefined;
		} catch {
			// Not of this kind: not an error.
			return false;
		}
	});
}

function fill(size: number): Buffer {
	return Object.setPrototypeOf(new Uint8Array(size), Buffer.prototype) as Buffer;
}

/** Creates a buffer over the same memory. @throws ERR_BUFFER_OUT_OF_BOUNDS */
function over(memory: ArrayBufferLike, offset: unknown, length: unknown): Buffer {
	const start = offset === undefined ? 0 : Number(offset) || 0;
	const left = memory.byteLength - start;
	if (left < 0) throw outOfBounds('offset');
	const count = length === undefined ? left : Math.max(Math.floor(Number(length)) || 0, 0);
	if (count > left) throw outOfBounds('length');
	return Object.setPrototypeOf(new Uint8Array(memory as ArrayBuffer, start, count), Buffer.prototype) as Buffer;
}

/** Converts an array, an array-like object, or the `toJSON` form of a buffer. */
function fromObject(value: object): Buffer | null {
	const { length, type, data, buffer } = value as Record<string, unknown>;
	const list = type === 'Buffer' && Array.isArray(data) && length === undefined ? (data as unknown[]) : value;
	if (length === undefined && list === value && !isArrayBuffer(buffer)) return null;
	if (list === value && typeof length !== 'number') return fill(0);
	const from = list as ArrayLike<number>;
	const bytes = fill(Math.max(from.length, 0) || 0);
	for (let at = 0; at < bytes.length; at++) bytes[at] = from[at] ?? 0;
	return bytes;
}

/** Adds the factory methods to `Buffer`, with Node's checks. `fromText` creates one from a string. */
export function defineCreation(fromText: (text: string, encoding: unknown) => Buffer): void {
	const from: From = (value, encoding, length) => {
		if (typeof value === 'string') {
			if (typeof encoding === 'string' && encoding !== '') checkEncoding(encoding);
			return fromText(value, encoding);
		}
		if (typeof value === 'object' && value !== null) {
			if (isArrayBuffer(value)) return over(value, encoding, length);
			const plain: unknown = value.valueOf?.();
			if (plain !== null && plain !== undefined && plain !== value && /^(?:string|object)$/.test(typeof plain))
				return from(plain, encoding, length);
			const bytes = fromObject(value);
			if (bytes) return bytes;
			const convert: unknown = Reflect.get(value, Symbol.toPrimitive);
			if (typeof convert === 'function') {
				const primitive: unknown = Reflect.apply(convert, value, ['string']);
				if (typeof primitive === 'string') return from(primitive, encoding);
			}
		}
		throw invalidArgument('first argument', SOURCES, value);
	};
	const allocate = (size: unknown): Buffer => {
		checkNumber(size, 'size', 0, MAX_LENGTH);
		return fill(size);
	};
	Object.assign(Buffer, {
		from,
		alloc(size: unknown, filling?: unknown, encoding?: unknown) {
			const bytes = allocate(size);
			if (filling === undefined || filling === 0 || bytes.length === 0) return bytes;
			return Reflect.apply(Reflect.get(bytes, 'fill') as (...args: unknown[]) => Buffer, bytes, [
				filling,
				0,
				bytes.length,
				encoding
			]);
		},
		allocUnsafe: (size: unknown) => allocate(size),
		allocUnsafeSlow: (size: unknown) => allocate(size),
		concat(list: unknown, given?: unknown) {
			if (!Array.isArray(list)) throw invalidArgument('list', 'an instance of Array', list);
			const parts: unknown[] = list;
			const sum = () => parts.reduce<number>((total, part) => total + ((part as Uint8Array | null)?.length || 0), 0);
			const length = given === undefined || parts.length === 0 ? sum() : given;
			checkOffset(length, 'length');
			const whole = fill(parts.length === 0 ? 0 : length);
			let at = 0;
			for (const [index, part] of parts.entries()) {
				checkBytes(part, `list[${index}]`);
				whole.set(part.subarray(0, Math.max(whole.length - at, 0)), Math.min(at, whole.length));
				at += part.length;
			}
			return whole;
		}
	});
}
