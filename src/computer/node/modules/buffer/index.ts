import { resolveObjectURL } from '../../runtime/object-urls.ts';
import { Buffer, SlowBuffer } from 'buffer';
import { invalidArgument, nodeError } from '../../runtime/errors.ts';
import { checkNumber, MAX_LENGTH } from './checks.ts';
import { defineComparison } from './comparison.ts';
import { programsBuffer } from './constructor.ts';
import { defineCopying } from './copying.ts';
import { defineCreation } from './creation.ts';
import { defineEncodings, encodingOf } from './encodings.ts';
import { defineInspection, inspection } from './inspection.ts';
import { defineNumberMethods } from './numbers.ts';
import { defineSearching } from './searching.ts';
import { defineText, fromText } from './text.ts';

/** Extends the `buffer` package's class to match Node, once: programs of this worker share it. */
function modernise(): void {
	if (Buffer.isEncoding('base64url')) return;
	// Node has no such property: libraries treat a Buffer with it as a polyfill and refuse to load.
	Reflect.deleteProperty(Buffer, 'TYPED_ARRAY_SUPPORT');
	Buffer.poolSize = 8192;
	defineEncodings();
	defineCreation(fromText);
	defineText();
	defineComparison();
	defineCopying();
	defineInspection();
	defineNumberMethods();
	defineSearching();
}

modernise();

/** @public `Buffer` as programs see it. */
export const ProgramsBuffer = programsBuffer();

/** Bytes checked by `isUtf8` and `isAscii`. @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_STATE */
function bytesOf(input: unknown): Uint8Array {
	const isMemory = input instanceof ArrayBuffer;
	if (!isMemory && !(ArrayBuffer.isView(input) && !(input instanceof DataView)))
		throw invalidArgument('input', 'an instance of ArrayBuffer, Buffer, or TypedArray', input);
	try {
		return isMemory ? new Uint8Array(input) : new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
	} catch {
		// Memory that was transferred cannot be read.
		throw nodeError(Error, 'ERR_INVALID_STATE', 'Cannot validate on a detached buffer');
	}
}

/** `node:buffer`. */
export function createBufferModule(): Record<string, unknown> {
	return {
		Buffer: ProgramsBuffer,
		SlowBuffer,
		get INSPECT_MAX_BYTES() {
			return inspection.maxBytes;
		},
		set INSPECT_MAX_BYTES(count) {
			checkNumber(count, 'INSPECT_MAX_BYTES', 0);
			inspection.maxBytes = count;
		},
		kMaxLength: MAX_LENGTH,
		kStringMaxLength: 2 ** 29 - 24,
		constants: { MAX_LENGTH, MAX_STRING_LENGTH: 2 ** 29 - 24 },
		Blob,
		File,
		atob,
		resolveObjectURL,
		btoa,
		isUtf8: (input: unknown) => {
			const bytes = bytesOf(input);
			try {
				new TextDecoder('utf-8', { fatal: true }).decode(bytes);
				return true;
			} catch {
				// Not UTF-8: not an error.
				return false;
			}
		},
		isAscii: (input: unknown) => bytesOf(input).every((byte) => byte < 128),
		transcode: (source: unknown, from: unknown, to: unknown) => {
			if (!(source instanceof Uint8Array))
				throw invalidArgument('source', 'an instance of Buffer or Uint8Array', source);
			const [one, other] = [encodingOf(from), encodingOf(to)];
			if (!one || !other || /\b(?:hex|base64)/.test(`${one} ${other}`)) {
				const error = new Error('Unable to transcode Buffer [U_ILLEGAL_ARGUMENT_ERROR]');
				throw Object.assign(error, { code: 'U_ILLEGAL_ARGUMENT_ERROR', errno: 1 });
			}
			const text = Buffer.from(source).toString(one);
			const limit = { ascii: 0x7f, latin1: 0xff }[other as string];
			const kept =
				limit === undefined ? text : Array.from(text, (char) => (char.charCodeAt(0) > limit ? '?' : char)).join('');
			return Buffer.from(kept, other);
		}
	};
}
