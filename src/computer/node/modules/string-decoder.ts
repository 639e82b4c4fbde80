import { Buffer } from 'buffer';
import { invalidArgument, nodeError } from '../runtime/errors.ts';
import { encodingOf } from './buffer/encodings.ts';

/** Maximum number of bytes of an incomplete character. */
const MOST_PENDING = 4;

/** `string_decoder.StringDecoder`: decodes bytes in chunks without splitting characters. */
class OwnStringDecoder {
	/** Missing if a method is called on an object not created by the constructor. */
	readonly encoding: BufferEncoding | undefined;
	lastChar = Buffer.alloc(MOST_PENDING);
	lastNeed = 0;
	lastTotal = 0;

	constructor(given?: unknown) {
		const encoding = given === undefined || given === null || given === '' ? 'utf8' : encodingOf(given);
		if (encoding === undefined) {
			throw nodeError(TypeError, 'ERR_UNKNOWN_ENCODING', `Unknown encoding: ${String(given)}`);
		}
		this.encoding = encoding as BufferEncoding;
	}

	/** Decodes a chunk, without an incomplete character at its end. @throws ERR_INVALID_ARG_TYPE */
	write(piece: unknown): string {
		if (this.encoding === undefined) {
			throw nodeError(TypeError, 'ERR_INVALID_THIS', 'Value of "this" must be of type StringDecoder');
		}
		if (typeof piece === 'string') return piece;
		if (!ArrayBuffer.isView(piece)) {
			throw invalidArgument('buf', 'an instance of Buffer, TypedArray, or DataView', piece);
		}
		const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
		if (this.encoding === 'utf16le' && bytes.length < this.lastNeed) {
			// Only a part of the missing bytes.
			bytes.copy(this.lastChar, this.lastTotal - this.lastNeed);
			this.lastNeed -= bytes.length;
			return '';
		}
		const pending = this.lastTotal - this.lastNeed;
		const whole = pending > 0 ? Buffer.concat([this.lastChar.subarray(0, pending), bytes]) : bytes;
		const { have, need } = unfinished(whole, this.encoding);
		whole.copy(this.lastChar, 0, whole.length - have);
		this.lastNeed = need;
		this.lastTotal = have > 0 ? have + need : 0;
		return whole.subarray(0, whole.length - have).toString(this.encoding);
	}

	/** Decodes a chunk from an offset on, ignoring earlier input. */
	text(piece: Uint8Array, from: number): string {
		this.lastNeed = this.lastTotal = 0;
		return this.write(piece.subarray(from));
	}

	/** Decodes the last chunk and the remaining bytes. */
	end(piece?: unknown): string {
		const text = piece === undefined ? '' : this.write(piece);
		const rest = this.lastChar.subarray(0, this.lastTotal - this.lastNeed).toString(this.encoding);
		this.lastNeed = this.lastTotal = 0;
		return text + rest;
	}
}

/** Packages also call it on objects of their own. */
export const StringDecoder = new Proxy(OwnStringDecoder, {
	apply: (target, self: object, args: [unknown?]) => void Object.assign(self, new target(...args))
});
Object.defineProperty(OwnStringDecoder, 'name', { value: 'StringDecoder' });
Object.defineProperty(OwnStringDecoder.prototype, 'constructor', {
	value: StringDecoder,
	writable: true,
	configurable: true
});
export type StringDecoder = OwnStringDecoder;

interface Unfinished {
	/** Number of trailing bytes that start a character. */
	have: number;
	/** Number of missing bytes. */
	need: number;
}

const NOTHING: Unfinished = { have: 0, need: 0 };

function unfinished(bytes: Buffer, encoding: string): Unfinished {
	if (encoding === 'utf8') return unfinishedUtf8(bytes);
	if (encoding === 'utf16le') return unfinishedUtf16(bytes);
	if (!encoding.startsWith('base64')) return NOTHING;
	const have = bytes.length % 3;
	return have === 0 ? NOTHING : { have, need: 3 - have };
}

function unfinishedUtf16(bytes: Buffer): Unfinished {
	if (bytes.length % 2 === 1) return { have: 1, need: 1 };
	const isHigh = bytes.length > 1 && ((bytes.at(-1) ?? 0) & 0xfc) === 0xd8;
	return isHigh ? { have: 2, need: 2 } : NOTHING;
}

/** Searches the last three bytes for the first byte of a longer character. */
function unfinishedUtf8(bytes: Buffer): Unfinished {
	for (let have = 1; have <= Math.min(3, bytes.length); have++) {
		const first = bytes[bytes.length - have] ?? 0;
		if ((first & 0xc0) === 0x80) continue;
		// As in Node, by the leading bits only: some of these bytes are not valid.
		const total = first >= 0xf8 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
		if (total <= have) return NOTHING;
		return { have, need: total - have };
	}
	return NOTHING;
}
