import { invalidArgument, nodeError, outOfRange } from '../../runtime/errors.ts';
import { integer } from '../../runtime/validate.ts';

const BYTES = 'an instance of Buffer or Uint8Array';

/** Maximum length of a buffer. */
export const MAX_LENGTH = 2 ** 32;

/** @throws ERR_INVALID_ARG_TYPE for anything but a Uint8Array */
export function checkBytes(value: unknown, name: string): asserts value is Uint8Array {
	if (!(value instanceof Uint8Array)) throw invalidArgument(name, BYTES, value);
}

/** @throws ERR_INVALID_ARG_TYPE, and ERR_OUT_OF_RANGE outside the limits */
export function checkNumber(value: unknown, name: string, min?: number, max?: number): asserts value is number {
	if (typeof value !== 'number') throw invalidArgument(name, 'of type number', value);
	const isWithin = (min === undefined || value >= min) && (max === undefined || value <= max);
	if (isWithin && (min === undefined || !Number.isNaN(value))) return;
	const limits = [min === undefined ? [] : `>= ${min}`, max === undefined ? [] : `<= ${max}`].flat();
	throw outOfRange(name, limits.join(' && '), value);
}

/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE for anything but an integer from 0 to `max` */
export function checkOffset(value: unknown, name: string, max = MAX_LENGTH): asserts value is number {
	integer(0, max)(value, name);
}

/** @param name name of the argument with the position; absent if the access itself is invalid */
export function outOfBounds(name?: string): Error {
	const words = name ? `"${name}" is outside of buffer bounds` : 'Attempt to access memory outside buffer bounds';
	return nodeError(RangeError, 'ERR_BUFFER_OUT_OF_BOUNDS', words);
}

/** Error for an invalid number of bytes or position. @param max largest valid value */
export function boundsError(value: number, max: number, name: 'offset' | 'byteLength' = 'offset'): Error {
	if (Math.floor(value) !== value) return outOfRange(name, 'an integer', value);
	if (max < 0) return outOfBounds();
	return outOfRange(name, `>= ${name === 'offset' ? 0 : 1} and <= ${max}`, value);
}

/**
 * @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE, ERR_BUFFER_OUT_OF_BOUNDS if fewer than `count` bytes are available
 */
export function checkPlace(bytes: Uint8Array, offset: unknown, count: number): asserts offset is number {
	checkNumber(offset, 'offset');
	if (bytes[offset] === undefined || bytes[offset + count - 1] === undefined)
		throw boundsError(offset, bytes.length - count);
}
