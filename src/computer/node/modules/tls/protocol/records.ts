import { concatBytes } from '@noble/hashes/utils.js';
import type { CipherSuite } from './cipher-suites.ts';
import type { TrafficKeys } from './key-schedule.ts';
import { TlsAlert } from './alerts.ts';
import { number } from './wire.ts';

/** Types of records (RFC 8446, 5.1). */
export const CHANGE_CIPHER_SPEC = 20;
export const ALERT = 21;
export const HANDSHAKE = 22;
export const APPLICATION_DATA = 23;

const HEADER_BYTES = 5;
const MAX_PLAIN_BYTES = 2 ** 14;
/** An encrypted record also contains its type, padding and tag. */
const MAX_SEALED_BYTES = MAX_PLAIN_BYTES + 256;

export interface TlsRecord {
	kind: number;
	content: Uint8Array;
}

/** Keys of one direction and the number of its next record. */
class Direction {
	#sequence = 0;

	constructor(
		private readonly suite: CipherSuite,
		private readonly keys: TrafficKeys
	) {}

	seal(header: Uint8Array, plain: Uint8Array): Uint8Array {
		return this.suite.cipher(this.keys.key, this.#nonce(), header).encrypt(plain);
	}

	/** @throws TlsAlert `bad_record_mac` */
	open(header: Uint8Array, sealed: Uint8Array): Uint8Array {
		try {
			return this.suite.cipher(this.keys.key, this.#nonce(), header).decrypt(sealed);
		} catch {
			throw new TlsAlert('bad_record_mac', 'decryption failed or bad record mac');
		}
	}

	#nonce(): Uint8Array {
		const nonce = Uint8Array.from(this.keys.iv);
		const view = new DataView(nonce.buffer);
		view.setUint32(4, view.getUint32(4) ^ Math.floor(this.#sequence / 2 ** 32));
		view.setUint32(8, view.getUint32(8) ^ (this.#sequence % 2 ** 32));
		this.#sequence++;
		return nonce;
	}
}

/** Records of a connection (RFC 8446, section 5), in both directions. */
export class RecordLayer {
	#received: Uint8Array = new Uint8Array(0);
	#reading: Direction | null = null;
	#writing: Direction | null = null;

	readWith(suite: CipherSuite, keys: TrafficKeys): void {
		this.#reading = new Direction(suite, keys);
	}

	writeWith(suite: CipherSuite, keys: TrafficKeys): void {
		this.#writing = new Direction(suite, keys);
	}

	add(bytes: Uint8Array): void {
		this.#received = this.#received.length === 0 ? bytes : concatBytes(this.#received, bytes);
	}

	/** The next complete record; null until there is one. @throws TlsAlert for invalid bytes */
	next(): TlsRecord | null {
		const [kind = 0, major = 0] = this.#received;
		if (this.#received.length < HEADER_BYTES) return null;
		if (kind < CHANGE_CIPHER_SPEC || kind > APPLICATION_DATA || major !== 3) throw this.#strange();
		const length = (this.#received[3] ?? 0) * 256 + (this.#received[4] ?? 0);
		if (length > MAX_SEALED_BYTES) throw new TlsAlert('record_overflow', 'packet length too long');
		const end = HEADER_BYTES + length;
		if (this.#received.length < end) return null;
		const header = this.#received.subarray(0, HEADER_BYTES);
		const content = this.#received.subarray(HEADER_BYTES, end);
		this.#received = this.#received.subarray(end);
		if (!this.#reading || kind === CHANGE_CIPHER_SPEC) return { kind, content };
		if (kind !== APPLICATION_DATA) throw new TlsAlert('unexpected_message');
		return inner(this.#reading.open(header, content));
	}

	/** Encodes content as records of one type. */
	write(kind: number, content: Uint8Array): Uint8Array {
		const records: Uint8Array[] = [];
		for (let at = 0; at === 0 || at < content.length; at += MAX_PLAIN_BYTES) {
			records.push(this.#one(kind, content.subarray(at, at + MAX_PLAIN_BYTES)));
		}
		return concatBytes(...records);
	}

	#one(kind: number, content: Uint8Array): Uint8Array {
		if (!this.#writing) return concatBytes(number(1, kind), number(2, 0x0303), number(2, content.length), content);
		const tagBytes = 16;
		const plain = concatBytes(content, number(1, kind));
		const length = number(2, plain.length + tagBytes);
		const header = concatBytes(number(1, APPLICATION_DATA), number(2, 0x0303), length);
		return concatBytes(header, this.#writing.seal(header, plain));
	}

	/** Detects another protocol, with the same error as OpenSSL. */
	#strange(): TlsAlert {
		const start = new TextDecoder('latin1').decode(this.#received.subarray(0, HEADER_BYTES));
		if (/^(?:GET |POST |HEAD |PUT )/.test(start)) return new TlsAlert('protocol_version', 'http request', false);
		return new TlsAlert('protocol_version', 'wrong version number', false);
	}
}

/** Extracts the record from an encrypted one: its type follows the content, then zeros. */
function inner(plain: Uint8Array): TlsRecord {
	const last = plain.findLastIndex((byte) => byte !== 0);
	if (last < 0) throw new TlsAlert('unexpected_message');
	if (last > MAX_PLAIN_BYTES) throw new TlsAlert('record_overflow', 'data length too long');
	return { kind: plain[last] ?? 0, content: plain.subarray(0, last) };
}
