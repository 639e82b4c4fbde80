import { Buffer } from 'buffer';
import { ByteWriter } from './byte-writer.ts';
import { BUFFER_VIEW, ERRORS, FLAGS, VERSION, VERSION_TAG, VIEW_LETTERS, VIEWS } from './format.ts';

/** Returns whether a key is an array index, written as a number. */
const isIndex = (key: string): boolean => /^(0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;

/** Tags of values that cannot be cloned. Names, because a tab without shared memory has no SharedArrayBuffer. */
const UNCLONABLE = ['Promise', 'WeakMap', 'WeakSet', 'WeakRef', 'SharedArrayBuffer'];

const tagOf = (object: object): string => Object.prototype.toString.call(object).slice('[object '.length, -1);

/** `v8.Serializer`: writes values in V8's format. */
export class Serializer {
	readonly #out = new ByteWriter();
	readonly #ids = new Map<object, number>();
	readonly #transferred = new Map<ArrayBuffer, number>();
	#viewsAreHostObjects = false;

	writeHeader(): void {
		this.#out.byte(VERSION_TAG);
		this.#out.varint(VERSION);
	}

	/** @throws Error if the value, or something in it, cannot be cloned */
	writeValue(value: unknown): boolean {
		this.#write(value);
		return true;
	}

	releaseBuffer(): Buffer {
		return Buffer.from(this.#out.release());
	}

	transferArrayBuffer(id: number, buffer: ArrayBuffer): void {
		this.#transferred.set(buffer, id);
	}

	writeUint32(value: number): void {
		this.#out.varint(value >>> 0);
	}

	writeUint64(high: number, low: number): void {
		this.#out.bigVarint((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0));
	}

	writeDouble(value: number): void {
		this.#out.double(value);
	}

	writeRawBytes(view: ArrayBufferView): void {
		this.#out.bytes(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
	}

	_setTreatArrayBufferViewsAsHostObjects(flag: boolean): void {
		this.#viewsAreHostObjects = flag;
	}

	/** Writes an object in the host's own format; programs override it. */
	_writeHostObject(object: object): void {
		throw this.#refusal(object);
	}

	_getDataCloneError(message: string): Error {
		return new Error(message);
	}

	#write(value: unknown): void {
		switch (typeof value) {
			case 'undefined':
				return this.#tag('_');
			case 'boolean':
				return this.#tag(value ? 'T' : 'F');
			case 'number':
				return this.#number(value);
			case 'bigint':
				this.#tag('Z');
				return this.#bigint(value);
			case 'string':
				return this.#string(value);
			case 'object':
				return value === null ? this.#tag('0') : this.#reference(value);
			default:
				throw this.#refusal(value);
		}
	}

	#tag(letter: string): void {
		this.#out.byte(letter.charCodeAt(0));
	}

	#number(value: number): void {
		if ((value | 0) === value && !Object.is(value, -0)) {
			this.#tag('I');
			return this.#out.varint(((value << 1) ^ (value >> 31)) >>> 0);
		}
		this.#tag('N');
		this.#out.double(value);
	}

	#bigint(value: bigint): void {
		let rest = value < 0n ? -value : value;
		const digits: bigint[] = [];
		for (; rest > 0n; rest >>= 64n) digits.push(rest & 0xffffffffffffffffn);
		this.#out.varint((digits.length * 16) | (value < 0n ? 1 : 0));
		for (const digit of digits) this.#out.uint64(digit);
	}

	#string(text: string): void {
		if (/^[\0-\xff]*$/.test(text)) {
			this.#tag('"');
			this.#out.varint(text.length);
			return this.#out.bytes(Buffer.from(text, 'latin1'));
		}
		this.#out.alignTwoByteString(text.length * 2);
		this.#tag('c');
		this.#out.varint(text.length * 2);
		this.#out.bytes(Buffer.from(text, 'utf16le'));
	}

	#reference(object: object): void {
		const known = this.#ids.get(object);
		if (known !== undefined) {
			this.#tag('^');
			return this.#out.varint(known);
		}
		// A view that is not a host object follows its buffer.
		if (ArrayBuffer.isView(object) && !this.#viewsAreHostObjects) this.#reference(object.buffer);
		this.#ids.set(object, this.#ids.size);
		this.#object(object);
	}

	#object(object: object): void {
		if (ArrayBuffer.isView(object)) return this.#view(object);
		if (UNCLONABLE.includes(tagOf(object))) throw this.#refusal(object);
		if (Array.isArray(object)) return this.#array(object);
		if (object instanceof Date) return this.#withDouble('D', object.getTime());
		if (object instanceof Map) return this.#entries(';', ':', [...object].flat());
		if (object instanceof Set) return this.#entries("'", ',', [...object]);
		if (object instanceof RegExp) return this.#regExp(object);
		if (object instanceof ArrayBuffer) return this.#buffer(object);
		if (object instanceof Error) return this.#error(object);
		if (this.#wrapper(object)) return;
		this.#tag('o');
		const written = this.#properties(object, Object.keys(object));
		this.#tag('{');
		this.#out.varint(written);
	}

	/** `Object(1)` and similar. */
	#wrapper(object: object): boolean {
		if (object instanceof Boolean) this.#tag(object.valueOf() ? 'y' : 'x');
		else if (object instanceof Number) this.#withDouble('n', object.valueOf());
		else if (object instanceof String) {
			this.#tag('s');
			this.#string(object.valueOf());
		} else if (object instanceof BigInt) {
			this.#tag('z');
			this.#bigint(BigInt.prototype.valueOf.call(object));
		} else if (object instanceof Symbol) throw this.#refusal(object);
		else return false;
		return true;
	}

	#withDouble(tag: string, value: number): void {
		this.#tag(tag);
		this.#out.double(value);
	}

	#entries(open: string, close: string, values: unknown[]): void {
		this.#tag(open);
		for (const value of values) this.#write(value);
		this.#tag(close);
		this.#out.varint(values.length);
	}

	#regExp({ source, flags }: RegExp): void {
		this.#tag('R');
		this.#string(source);
		this.#out.varint(FLAGS.reduce((bits, [letter, bit]) => (flags.includes(letter) ? bits | bit : bits), 0));
	}

	#buffer(buffer: ArrayBuffer): void {
		const id = this.#transferred.get(buffer);
		if (id !== undefined) {
			this.#tag('t');
			return this.#out.varint(id);
		}
		this.#tag('B');
		this.#out.varint(buffer.byteLength);
		this.#out.bytes(new Uint8Array(buffer));
	}

	#view(view: ArrayBufferView): void {
		if (this.#viewsAreHostObjects) {
			this.#tag('\\');
			return this._writeHostObject(view);
		}
		this.#tag('V');
		this.#tag(VIEW_LETTERS[viewIndex(view)] ?? '');
		for (const number of [view.byteOffset, view.byteLength, 0]) this.#out.varint(number);
	}

	#array(array: unknown[]): void {
		const keys = Object.keys(array);
		const isDense =
			array.length === 0 || (keys.length >= array.length && keys[array.length - 1] === String(array.length - 1));
		this.#tag(isDense ? 'A' : 'a');
		this.#out.varint(array.length);
		const elements = isDense ? array.length : 0;
		for (let index = 0; index < elements; index++) this.#write(array[index]);
		const written = this.#properties(array, keys.slice(elements));
		this.#tag(isDense ? '$' : '@');
		this.#out.varint(written);
		this.#out.varint(array.length);
	}

	/** @returns number of properties written: a getter may have removed some */
	#properties(object: object, keys: string[]): number {
		let written = 0;
		for (const key of keys) {
			if (!Object.hasOwn(object, key)) continue;
			this.#write(isIndex(key) ? Number(key) : key);
			this.#write(Reflect.get(object, key));
			written++;
		}
		return written;
	}

	#error(error: Error): void {
		this.#tag('r');
		const letter = Object.entries(ERRORS).find(([, kind]) => kind.name === error.name)?.[0];
		if (letter !== undefined) this.#tag(letter);
		const message = Object.getOwnPropertyDescriptor(error, 'message');
		if (message && 'value' in message) {
			this.#tag('m');
			this.#string(String(message.value));
		}
		if (Object.hasOwn(error, 'cause')) {
			this.#tag('c');
			this.#write(error.cause);
		}
		if (typeof error.stack === 'string') {
			this.#tag('s');
			this.#string(error.stack);
		}
		this.#tag('.');
	}

	#refusal(value: unknown): Error {
		const name =
			typeof value === 'object' && value !== null ? `#<${value.constructor?.name ?? 'Object'}>` : String(value);
		return this._getDataCloneError(`${name} could not be cloned.`);
	}
}

const viewIndex = (view: ArrayBufferView): number => VIEWS.findIndex((kind) => kind !== null && view instanceof kind);

/** `v8.DefaultSerializer`: writes typed arrays and Buffers separately, without the rest of their memory. */
export class DefaultSerializer extends Serializer {
	constructor() {
		super();
		this._setTreatArrayBufferViewsAsHostObjects(true);
	}

	override _writeHostObject(object: object): void {
		if (!ArrayBuffer.isView(object)) return super._writeHostObject(object);
		this.writeUint32(Buffer.isBuffer(object) ? BUFFER_VIEW : viewIndex(object));
		this.writeUint32(object.byteLength);
		this.writeRawBytes(object);
	}
}
