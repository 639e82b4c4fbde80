import { invalidArgument } from '../../runtime/errors.ts';
import { integer, optional, plainObject } from '../../runtime/validate.ts';

/** OpenSSL's numbers of AES by mode, for keys of 128, 192 and 256 bits. */
const NUMBERS: Readonly<Record<string, readonly number[]>> = {
	cbc: [419, 423, 427],
	ctr: [904, 905, 906],
	ecb: [418, 422, 426],
	gcm: [895, 898, 901]
};
const BITS = [128, 192, 256];
const BLOCK = 16;

/** Public properties of a cipher. */
interface CipherInfo {
	mode: string;
	name: string;
	nid: number;
	blockSize: number;
	ivLength?: number;
	keyLength: number;
}

const CIPHERS: readonly CipherInfo[] = Object.entries(NUMBERS).flatMap(([mode, numbers]) =>
	BITS.map((bits, at) => ({
		mode,
		name: mode === 'gcm' ? `id-aes${bits}-gcm` : `aes-${bits}-${mode}`,
		nid: numbers[at] ?? 0,
		blockSize: mode === 'cbc' || mode === 'ecb' ? BLOCK : 1,
		...(mode === 'ecb' ? {} : { ivLength: mode === 'gcm' ? 12 : BLOCK }),
		keyLength: bits / 8
	}))
);

function found(nameOrNumber: string | number): CipherInfo | undefined {
	if (typeof nameOrNumber === 'number') return CIPHERS.find(({ nid }) => nid === nameOrNumber);
	const name = nameOrNumber.toLowerCase();
	return CIPHERS.find((one) => one.name === name || `aes-${one.keyLength * 8}-${one.mode}` === name);
}

/**
 * `crypto.getCipherInfo`. undefined for an unsupported cipher or length. @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE
 */
export function getCipherInfo(nameOrNumber: unknown, options?: unknown): CipherInfo | undefined {
	if (typeof nameOrNumber !== 'string' && typeof nameOrNumber !== 'number') {
		throw invalidArgument('nameOrNid', 'one of type string or number', nameOrNumber);
	}
	if (typeof nameOrNumber === 'number') integer()(nameOrNumber, 'nameOrNid');
	if (options !== undefined) plainObject(options, 'options');
	const { keyLength, ivLength } = (options ?? {}) as { keyLength?: unknown; ivLength?: unknown };
	optional(integer())(keyLength, 'options.keyLength');
	optional(integer())(ivLength, 'options.ivLength');
	const info = found(nameOrNumber);
	if (!info || (keyLength !== undefined && keyLength !== info.keyLength)) return undefined;
	if (ivLength === undefined || info.ivLength === undefined) return { ...info };
	const isFitting = info.mode === 'gcm' ? Number(ivLength) > 0 : ivLength === info.ivLength;
	return isFitting ? { ...info, ivLength: ivLength as number } : undefined;
}
