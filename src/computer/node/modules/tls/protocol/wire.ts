import { concatBytes } from '@noble/hashes/utils.js';
import { TlsAlert } from './alerts.ts';

/** Number of bytes that the length of a vector takes (RFC 8446, 3.4). */
export type LengthBytes = 1 | 2 | 3;

/** Reads the fields of a message. @throws TlsAlert `decode_error` where a field ends behind the message */
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

/** A number, its highest byte first. */
export function number(count: LengthBytes, value: number): Uint8Array {
	return Uint8Array.from({ length: count }, (_, index) => (value >>> (8 * (count - 1 - index))) & 0xff);
}

/** Parts behind their length in bytes. */
export function vector(lengthBytes: LengthBytes, ...parts: readonly Uint8Array[]): Uint8Array {
	const content = concatBytes(...parts);
	return concatBytes(number(lengthBytes, content.length), content);
}

/** Numbers of two bytes, as a vector. */
export const numbers = (values: readonly number[]): Uint8Array => vector(2, ...values.map((value) => number(2, value)));

/** The numbers of two bytes that a vector holds. */
export function readNumbers(bytes: Uint8Array): number[] {
	const reader = new WireReader(bytes);
	const values: number[] = [];
	while (!reader.isAtEnd) values.push(reader.number(2));
	return values;
}
