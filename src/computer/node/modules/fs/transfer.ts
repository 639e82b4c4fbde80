import { Buffer } from 'buffer';
import { inspect } from 'node-inspect-extracted';
import { invalidArgument, nodeError, outOfRange } from '../../runtime/errors.ts';
import { integer } from '../../runtime/validate.ts';
import { bytesOf, type Encoding } from './arguments.ts';

/** Destination of a read: at most `length` bytes, written at `offset`, from the file at `position`. */
export interface ReadTarget {
	target: Uint8Array;
	offset: number;
	length: number;
	/** A non-negative number, otherwise the end of the last read is used. */
	position: unknown;
}

/** Source of a write: the bytes of a range, and their position; absent: the end of the last write. */
export interface WriteSource {
	bytes: Uint8Array;
	position: unknown;
}

interface Range {
	buffer?: unknown;
	offset?: number | null;
	length?: number | null;
	position?: unknown;
}

/** Default buffer size of `fs.read` in bytes. */
const READ_SIZE = 16_384;
const MAX_INT32 = 2 ** 31 - 1;
const INT64 = [-(2n ** 63n), 2n ** 63n - 1n] as const;
const fromZero = integer(0);
const anyInteger = integer();

const BYTES = 'an instance of Buffer, TypedArray, or DataView';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Parses the range that a read fills.
 * @param args arguments of `fs.read` after the descriptor: a buffer and numbers, a buffer and options, or options alone
 * @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE for an empty buffer, ERR_OUT_OF_RANGE
 */
export function readTarget(args: readonly unknown[]): ReadTarget {
	const [first, second] = args;
	const options: Range = {};
	if (ArrayBuffer.isView(first)) {
		if (args.length === 2 && !isObject(second ?? {})) throw invalidArgument('options', 'of type object', second);
		if (isObject(second)) Object.assign(options, second);
		else Object.assign(options, { offset: second, length: args[2], position: args[3] });
		options.buffer = first;
	} else if (args.length > 1 || (first !== undefined && first !== null && !isObject(first))) {
		throw invalidArgument('buffer', BYTES, first);
	} else Object.assign(options, { buffer: Buffer.alloc(READ_SIZE) }, first);
	const target = options.buffer;
	if (!ArrayBuffer.isView(target)) throw invalidArgument('buffer', BYTES, target);
	const offset = options.offset ?? 0;
	fromZero(offset, 'offset');
	const length = Math.trunc(Number(options.length ?? target.byteLength - offset));
	if (length === 0) return { target: target as Uint8Array, offset, length, position: null };
	if (target.byteLength === 0) {
		const words = `The argument 'buffer' is empty and cannot be written. Received ${inspect(target)}`;
		throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', words);
	}
	if (length < 0) throw outOfRange('length', '>= 0', length);
	if (offset + length > target.byteLength) throw outOfRange('length', `<= ${target.byteLength - offset}`, length);
	checkPosition(options.position);
	return { target: target as Uint8Array, offset, length, position: options.position };
}

function checkPosition(position: unknown): void {
	if (position === undefined || position === null) return;
	if (typeof position === 'number') return anyInteger(position, 'position');
	if (typeof position !== 'bigint') throw invalidArgument('position', 'of type bigint or integer', position);
	const [min, max] = INT64;
	if (position < min || position > max) throw outOfRange('position', `>= ${min} && <= ${max}`, position);
}

/**
 * Parses the bytes to write.
 * @param args arguments of `fs.write` after the descriptor: bytes with a range or options, or a string with a position
 * and an encoding
 * @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE for an encoding, ERR_OUT_OF_RANGE for a range outside the bytes
 */
export function writeSource([data, second, third, fourth]: readonly unknown[]): WriteSource {
	if (typeof data === 'string') {
		if (third === 'hex' && data.length % 2 !== 0) {
			const words = `The argument 'encoding' is invalid for data of length ${data.length}. Received 'hex'`;
			throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', words);
		}
		return {
			bytes: bytesOf(data, Buffer.isEncoding(String(third)) ? (third as Encoding) : undefined),
			position: second
		};
	}
	if (!ArrayBuffer.isView(data)) throw invalidArgument('buffer', `of type string or ${BYTES}`, data);
	const bytes = bytesOf(data);
	const options: Range = isObject(second)
		? second
		: { offset: second as number, length: third as number, position: fourth };
	const offset = options.offset ?? 0;
	fromZero(offset, 'offset');
	const length = typeof options.length === 'number' ? options.length : bytes.byteLength - offset;
	if (offset > bytes.byteLength) throw outOfRange('offset', `<= ${bytes.byteLength}`, offset);
	if (length > bytes.byteLength - offset) throw outOfRange('length', `<= ${bytes.byteLength - offset}`, length);
	if (length < 0) throw outOfRange('length', '>= 0', length);
	integer(0, MAX_INT32)(length, 'length');
	return { bytes: bytes.subarray(offset, offset + length), position: options.position };
}
