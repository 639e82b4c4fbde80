import { concatBytes } from '@noble/hashes/utils.js';
import { TlsAlert } from './alerts.ts';

/** Size of the length field of a vector, in bytes (RFC 8446, 3.4). */
export type LengthBytes = 1 | 2 | 3;

/** Reads the fields of a message. @throws TlsAlert `decode_error` if a field extends beyond the message */
export class WireReader {
	#at = 0;

	constructor(private readonly bytes: Uint8Array) {}

	get isAtEnd(): boolean {
		return this.#at === this.bytes.length;
	}

	bytesOf(count: number): Uint8Array {
		const end = this.#at + count;
		if (end > this.bytes.length) throw new TlsAlert('decode_error');
		const taken = this.bytes.subarray(this.#at, end);
		this.#at = end;
		return taken;
	}

	number(count: LengthBytes): number {
		return this.bytesOf(count).reduce((value, byte) => value * 256 + byte, 0);
	}

	vector(lengthBytes: LengthBytes): Uint8Array {
		return this.bytesOf(this.number(lengthBytes));
	}

	/** Requires that nothing follows. @throws TlsAlert `decode_error` */
	end(): void {
		if (!this.isAtEnd) throw new TlsAlert('decode_error');
	}
}

/** Encodes a number, big-endian. */
export function number(count: LengthBytes, value: number): Uint8Array {
	return Uint8Array.from({ length: count }, (_, index) => (value >>> (8 * (count - 1 - index))) & 0xff);
}

/** Encodes parts after their length in bytes. */
export function vector(lengthBytes: LengthBytes, ...parts: readonly Uint8Array[]): Uint8Array {
	const content = concatBytes(...parts);
	return concatBytes(number(lengthBytes, content.length), content);
}

/** Encodes 16-bit numbers as a vector. */
export const numbers = (values: readonly number[]): Uint8Array => vector(2, ...values.map((value) => number(2, value)));

/** Parses the 16-bit numbers of a vector. */
export function readNumbers(bytes: Uint8Array): number[] {
	const reader = new WireReader(bytes);
	const values: number[] = [];
	while (!reader.isAtEnd) values.push(reader.number(2));
	return values;
}
