import { concatBytes } from '@noble/hashes/utils.js';
import { expand, extract } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import type { CipherSuite, SuiteHash } from './cipher-suites.ts';
import { number, vector } from './wire.ts';

const NONE = new Uint8Array(0);
const NONCE_BYTES = 12;

/** Keys of one direction. */
export interface TrafficKeys {
	key: Uint8Array;
	/** Combined with the record's number into its nonce. */
	iv: Uint8Array;
}

/** Secrets of both directions. */
export interface TrafficSecrets {
	client: Uint8Array;
	server: Uint8Array;
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** HKDF-Expand-Label of RFC 8446, 7.1. */
export function expandLabel(
	hash: SuiteHash,
	secret: Uint8Array,
	label: string,
	context: Uint8Array,
	length: number
): Uint8Array {
	const info = concatBytes(number(2, length), vector(1, text(`tls13 ${label}`)), vector(1, context));
	return expand(hash, secret, info, length);
}

/** Secrets of a connection (RFC 8446, 7.1), without a pre-shared key. */
export class KeySchedule {
	readonly #hash: SuiteHash;
	#secret: Uint8Array;

	constructor(private readonly suite: CipherSuite) {
		this.#hash = suite.hash;
		const zeros = new Uint8Array(this.#hash.outputLen);
		this.#secret = extract(this.#hash, zeros, zeros);
	}

	/** @param shared secret of the key exchange @param transcript hash of the messages up to the server's hello */
	handshake(shared: Uint8Array, transcript: Uint8Array): TrafficSecrets {
		this.#secret = extract(this.#hash, shared, this.#next());
		return this.#traffic('hs', transcript);
	}

	/** @param transcript hash of the messages up to the server's `Finished` */
	application(transcript: Uint8Array): TrafficSecrets & { exporter: Uint8Array } {
		this.#secret = extract(this.#hash, new Uint8Array(this.#hash.outputLen), this.#next());
		return { ...this.#traffic('ap', transcript), exporter: this.#derive('exp master', transcript) };
	}

	trafficKeys(secret: Uint8Array): TrafficKeys {
		return {
			key: expandLabel(this.#hash, secret, 'key', NONE, this.suite.keyBytes),
			iv: expandLabel(this.#hash, secret, 'iv', NONE, NONCE_BYTES)
		};
	}

	/** The next application traffic secret (RFC 8446, 7.2). */
	updated(secret: Uint8Array): Uint8Array {
		return expandLabel(this.#hash, secret, 'traffic upd', NONE, this.#hash.outputLen);
	}

	/** Content of the `Finished` message of the side with this handshake secret. */
	finished(secret: Uint8Array, transcript: Uint8Array): Uint8Array {
		const key = expandLabel(this.#hash, secret, 'finished', NONE, this.#hash.outputLen);
		return hmac(this.#hash, key, transcript);
	}

	/** Keying material for other protocols (RFC 8446, 7.5). */
	exported(exporter: Uint8Array, label: string, context: Uint8Array, length: number): Uint8Array {
		const secret = expandLabel(this.#hash, exporter, label, this.#hash(NONE), this.#hash.outputLen);
		return expandLabel(this.#hash, secret, 'exporter', this.#hash(context), length);
	}

	#next(): Uint8Array {
		return this.#derive('derived', this.#hash(NONE));
	}

	#traffic(stage: 'hs' | 'ap', transcript: Uint8Array): TrafficSecrets {
		return {
			client: this.#derive(`c ${stage} traffic`, transcript),
			server: this.#derive(`s ${stage} traffic`, transcript)
		};
	}

	#derive(label: string, transcript: Uint8Array): Uint8Array {
		return expandLabel(this.#hash, this.#secret, label, transcript, this.#hash.outputLen);
	}
}
