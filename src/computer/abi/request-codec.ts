import { SYSCALL_NAMES } from './call-names.ts';
import type { SyscallName } from './syscalls.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NUMBERS: ReadonlyMap<string, number> = new Map(SYSCALL_NAMES.map((name, number) => [name, number]));

/** Tag before an argument. Text, JSON and bytes are followed by a 32-bit length. */
const Tag = { absent: 0, ascii: 1, number: 2, bytes: 3, json: 4 } as const;
const LENGTH_BYTES = 4;
const NUMBER_BYTES = 8;
/** Longer text is faster to encode as JSON. */
const MOST_ASCII = 512;

/** Calls with bytes inside a record, which can only be sent as a message. */
const NESTED: ReadonlySet<SyscallName> = new Set(['run', 'fetch']);

/** Encodes synchronous calls into shared memory. */
export class RequestWriter {
	readonly #view: DataView;

	constructor(private readonly memory: Uint8Array) {
		this.#view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength);
	}

	/**
	 * Writes one byte for the call's name, one for the number of arguments, then the arguments.
	 *
	 * @returns number of bytes; 0 if it does not fit or must be sent as a message
	 */
	put(name: SyscallName, args: readonly unknown[]): number {
		if (NESTED.has(name) || args.length > 255) return 0;
		this.memory[0] = NUMBERS.get(name) ?? 255;
		this.memory[1] = args.length;
		let at = 2;
		for (const value of args) {
			const next = this.#putArgument(at, value);
			if (next > this.memory.length) return 0;
			at = next;
		}
		return at;
	}

	/** @returns offset after the argument; beyond the end of the memory if it does not fit */
	#putArgument(at: number, value: unknown): number {
		const { memory } = this;
		if (at + 1 + NUMBER_BYTES > memory.length) return memory.length + 1;
		if (value === undefined || value === null || Number.isNaN(value)) {
			memory[at] = Tag.absent;
			return at + 1;
		}
		if (typeof value === 'number') {
			memory[at] = Tag.number;
			this.#view.setFloat64(at + 1, value, true);
			return at + 1 + NUMBER_BYTES;
		}
		if (value instanceof Uint8Array) return this.#putBytes(at, Tag.bytes, value);
		if (typeof value === 'string') {
			const end = this.#putAscii(at, value);
			if (end > 0) return end;
		}
		return this.#putBytes(at, Tag.json, encoder.encode(JSON.stringify(value)));
	}

	#putBytes(at: number, tag: number, bytes: Uint8Array): number {
		const start = at + 1 + LENGTH_BYTES;
		if (start + bytes.length > this.memory.length) return this.memory.length + 1;
		this.memory[at] = tag;
		this.#view.setUint32(at + 1, bytes.length, true);
		this.memory.set(bytes, start);
		return start + bytes.length;
	}

	/** @returns offset after the text; 0 if the text is not ASCII or does not fit */
	#putAscii(at: number, text: string): number {
		const { memory } = this;
		const start = at + 1 + LENGTH_BYTES;
		const { length } = text;
		if (length > MOST_ASCII || start + length > memory.length) return 0;
		for (let index = 0; index < length; index++) {
			const code = text.charCodeAt(index);
			if (code > 0x7f) return 0;
			memory[start + index] = code;
		}
		memory[at] = Tag.ascii;
		this.#view.setUint32(at + 1, length, true);
		return start + length;
	}
}

/**
 * Inverse of {@link RequestWriter}; byte arguments are arrays of their own. An omitted or `null` argument is
 * `undefined`.
 *
 * @param bytes a copy: a process may write into the memory while its call is read
 * @returns `null` if the bytes are not a request
 */
export function readRequest(bytes: Uint8Array): { name: SyscallName; args: unknown[] } | null {
	const name = SYSCALL_NAMES[bytes[0] ?? 255];
	const count = bytes[1];
	if (name === undefined || count === undefined) return null;
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const args: unknown[] = [];
	let at = 2;
	while (args.length < count) {
		const tag = bytes[at++];
		if (tag === Tag.absent) {
			args.push(undefined);
			continue;
		}
		const size = tag === Tag.number ? NUMBER_BYTES : LENGTH_BYTES;
		if (at + size > bytes.length) return null;
		if (tag === Tag.number) args.push(view.getFloat64(at, true));
		const length = tag === Tag.number ? 0 : view.getUint32(at, true);
		at += size;
		if (length > bytes.length - at) return null;
		if (tag === Tag.ascii) {
			if (length > MOST_ASCII) return null;
			args.push(String.fromCharCode(...bytes.subarray(at, at + length)));
		} else if (tag === Tag.bytes) args.push(bytes.slice(at, at + length));
		else if (tag === Tag.json) {
			const value = parse(bytes.subarray(at, at + length));
			if (value === undefined) return null;
			args.push(value ?? undefined);
		} else if (tag !== Tag.number) return null;
		at += length;
	}
	return { name, args };
}

function parse(bytes: Uint8Array): unknown {
	try {
		return JSON.parse(decoder.decode(bytes));
	} catch {
		return undefined;
	}
}
