import { Buffer } from 'buffer';
import { nodeError } from '../../runtime/errors.ts';
import { BUFFER_VIEW, ERRORS, FLAGS, VERSION, VERSION_TAG, VIEW_LETTERS, VIEWS } from './format.ts';

const damaged = (): Error => new Error('Unable to deserialize cloned data.');

/** `v8.Deserializer`: reads what {@link Serializer} writes. */
export class Deserializer {
	readonly buffer: Buffer;
	readonly #data: DataView;
	readonly #objects = new Map<number, object>();
	readonly #transferred = new Map<number, ArrayBuffer>();
	#at = 0;
	#nextId = 0;
	#version = 0;

	/** @throws TypeError unless it is a view */
	constructor(view: ArrayBufferView) {
		if (!ArrayBuffer.isView(view))
			throw nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'buffer must be a TypedArray or a DataView');
		this.buffer = Buffer.from(view.buffer as ArrayBuffer, view.byteOffset, view.byteLength);
		this.#data = new DataView(view.buffer, view.byteOffset, view.byteLength);
	}

	/** @throws Error for an unknown version */
	readHeader(): true {
		const unsupported = 'Unable to deserialize cloned data due to invalid or unsupported version.';
		if (this.#data.byteLength < 2 || this.#byte() !== VERSION_TAG) throw new Error(unsupported);
		this.#version = this.readUint32();
		if (this.#version > VERSION) throw new Error(unsupported);
		return true;
	}

	/** @throws Error for invalid data */
	readValue(): unknown {
		return this.#read();
	}

	transferArrayBuffer(id: number, buffer: ArrayBuffer): void {
		this.#transferred.set(id, buffer);
	}

	getWireFormatVersion(): number {
		return this.#version;
	}

	readUint32(): number {
		return Number(BigInt.asUintN(32, this.#varint()));
	}

	readUint64(): [high: number, low: number] {
		const value = this.#varint();
		return [Number(BigInt.asUintN(32, value >> 32n)), Number(BigInt.asUintN(32, value))];
	}

	readDouble(): number {
		return this.#data.getFloat64(this.#take(8), true);
	}

	readRawBytes(length: number): Buffer {
		const start = this.#take(length);
		return this.buffer.subarray(start, start + length);
	}

	/** Reads an object in the host's own format; programs override it. */
	_readHostObject(): object {
		throw damaged();
	}

	/** Advances by `length` bytes. @returns their start */
	#take(length: number): number {
		const start = this.#at;
		if (length > this.#data.byteLength - start) throw damaged();
		this.#at += length;
		return start;
	}

	#byte(): number {
		return this.#data.getUint8(this.#take(1));
	}

	#varint(): bigint {
		let value = 0n;
		for (let shift = 0n; ; shift += 7n) {
			const byte = this.#byte();
			if (shift < 64n) value |= BigInt(byte & 0x7f) << shift;
			if (byte < 0x80) return BigInt.asUintN(64, value);
		}
	}

	/** Reads the next tag, skipping padding zeros. */
	#tag(): string {
		let byte = this.#byte();
		while (byte === 0) byte = this.#byte();
		return String.fromCharCode(byte);
	}

	#peekTag(): string {
		const at = this.#at;
		if (at >= this.#data.byteLength) return '';
		const tag = this.#tag();
		this.#at = at;
		return tag;
	}

	#read(): unknown {
		const value = this.#readTagged(this.#tag());
		if (!(value instanceof ArrayBuffer) || this.#peekTag() !== 'V') return value;
		this.#tag();
		return this.#view(value);
	}

	#readTagged(tag: string): unknown {
		switch (tag) {
			case '_':
				return undefined;
			case '0':
				return null;
			case 'T':
				return true;
			case 'F':
				return false;
			case 'I': {
				const value = this.readUint32();
				return (value >>> 1) ^ -(value & 1);
			}
			case 'U':
				return this.readUint32();
			case 'N':
				return this.readDouble();
			case 'Z':
				return this.#bigint();
			case '"':
				return this.readRawBytes(this.readUint32()).toString('latin1');
			case 'c':
				return this.readRawBytes(this.readUint32()).toString('utf16le');
			case 'S':
				return this.readRawBytes(this.readUint32()).toString('utf8');
			case '^':
				return this.#known(this.readUint32());
			default:
				return this.#object(tag);
		}
	}

	#known(id: number): object {
		const object = this.#objects.get(id);
		if (!object) throw damaged();
		return object;
	}

	#object(tag: string): object {
		const id = this.#nextId++;
		const keep = <Kind extends object>(object: Kind): Kind => {
			this.#objects.set(id, object);
			return object;
		};
		switch (tag) {
			case 'o':
				return this.#properties(keep({}), '{');
			case 'A':
				return this.#dense(keep);
			case 'a':
				return this.#sparse(keep);
			case ';':
				return this.#map(keep(new Map()));
			case "'":
				return this.#set(keep(new Set()));
			case 'D':
				return keep(new Date(this.readDouble()));
			case 'R':
				return keep(this.#regExp());
			case 'B':
				return keep(Uint8Array.from(this.readRawBytes(this.readUint32())).buffer);
			case 't':
				return keep(this.#transferred.get(this.readUint32()) ?? refuse());
			case 'r':
				return this.#error(keep);
			case '\\':
				return keep(this._readHostObject());
			default:
				return keep(this.#wrapper(tag));
		}
	}

	#wrapper(tag: string): object {
		switch (tag) {
			case 'y':
				return Object(true) as object;
			case 'x':
				return Object(false) as object;
			case 'n':
				return Object(this.readDouble()) as object;
			case 'z':
				return Object(this.#bigint()) as object;
			case 's':
				return Object(this.#string()) as object;
			default:
				throw damaged();
		}
	}

	#string(): string {
		const value = this.#readTagged(this.#tag());
		if (typeof value !== 'string') throw damaged();
		return value;
	}

	#bigint(): bigint {
		const field = this.readUint32();
		const bytes = this.readRawBytes(field >>> 1);
		const value = bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
		return field & 1 ? -value : value;
	}

	/** Reads keys and values up to the tag `end`, which is followed by the number of properties. */
	#properties<Kind extends object>(object: Kind, end: string): Kind {
		let count = 0;
		for (; this.#peekTag() !== end; count++) {
			const key = this.#read();
			if (typeof key !== 'string' && typeof key !== 'number') throw damaged();
			const value = this.#read();
			Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
		}
		this.#tag();
		if (this.readUint32() !== count) throw damaged();
		return object;
	}

	#dense(keep: (array: unknown[]) => unknown[]): unknown[] {
		const length = this.readUint32();
		// Each element needs at least one byte: a larger length is invalid.
		if (length > this.#data.byteLength - this.#at) throw damaged();
		const array = keep([]);
		for (let index = 0; index < length; index++) {
			if (this.#peekTag() === '-') {
				this.#tag();
				array.length++;
			} else array.push(this.#read());
		}
		this.#properties(array, '$');
		if (this.readUint32() !== length) throw damaged();
		return array;
	}

	#sparse(keep: (array: unknown[]) => unknown[]): unknown[] {
		const length = this.readUint32();
		const array = keep([]);
		array.length = length;
		this.#properties(array, '@');
		if (this.readUint32() !== length) throw damaged();
		return array;
	}

	#map(map: Map<unknown, unknown>): Map<unknown, unknown> {
		let count = 0;
		for (; this.#peekTag() !== ':'; count += 2) map.set(this.#read(), this.#read());
		this.#tag();
		if (this.readUint32() !== count) throw damaged();
		return map;
	}

	#set(set: Set<unknown>): Set<unknown> {
		let count = 0;
		for (; this.#peekTag() !== ','; count++) set.add(this.#read());
		this.#tag();
		if (this.readUint32() !== count) throw damaged();
		return set;
	}

	#regExp(): RegExp {
		const source = this.#string();
		const bits = this.readUint32();
		const flags = FLAGS.filter(([, bit]) => bits & bit).map(([letter]) => letter);
		try {
			return new RegExp(source, flags.join(''));
		} catch {
			throw damaged();
		}
	}

	#view(buffer: ArrayBuffer): ArrayBufferView {
		const id = this.#nextId++;
		const kind = VIEWS[VIEW_LETTERS.indexOf(String.fromCharCode(this.#byte()))];
		const [offset, length] = [this.readUint32(), this.readUint32()];
		if (this.#version >= 14) this.readUint32();
		const view = viewOf(kind, buffer, offset, length);
		this.#objects.set(id, view);
		return view;
	}

	#error(keep: (error: Error) => Error): Error {
		let letter = String.fromCharCode(this.#byte());
		const Kind = ERRORS[letter] ?? Error;
		if (Kind !== Error) letter = String.fromCharCode(this.#byte());
		const error = keep(new Kind());
		const put = (name: string, value: unknown): void =>
			void Object.defineProperty(error, name, { value, writable: true, configurable: true });
		Reflect.deleteProperty(error, 'stack');
		for (; letter !== '.'; letter = String.fromCharCode(this.#byte())) {
			if (letter === 'm') put('message', this.#string());
			else if (letter === 's') put('stack', this.#string());
			else if (letter === 'c') put('cause', this.#read());
			else throw damaged();
		}
		return error;
	}
}

function refuse(): never {
	throw damaged();
}

/** @throws Error if the view is outside the buffer */
function viewOf(
	kind: (typeof VIEWS)[number] | undefined,
	buffer: ArrayBuffer,
	offset: number,
	byteLength: number
): ArrayBufferView {
	if (!kind || offset + byteLength > buffer.byteLength) throw damaged();
	if (kind === DataView) return new DataView(buffer, offset, byteLength);
	const { BYTES_PER_ELEMENT: size } = kind as Uint8ArrayConstructor;
	if (offset % size !== 0 || byteLength % size !== 0) throw damaged();
	return new (kind as Uint8ArrayConstructor)(buffer, offset, byteLength / size);
}

/** `v8.DefaultDeserializer`: reads what {@link DefaultSerializer} writes. */
export class DefaultDeserializer extends Deserializer {
	override _readHostObject(): object {
		const index = this.readUint32();
		const bytes = this.readRawBytes(this.readUint32());
		// A copy: the bytes may be unaligned for this kind of view.
		if (index === BUFFER_VIEW) return Buffer.from(bytes);
		return viewOf(VIEWS[index], Uint8Array.from(bytes).buffer, 0, bytes.length);
	}
}
