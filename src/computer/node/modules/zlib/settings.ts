import { Buffer } from 'buffer';
import { invalidArgument, outOfRange } from '../../runtime/errors.ts';
import { MAX_LENGTH } from '../buffer/checks.ts';
import { MODES, PARAMETERS } from './constants.ts';

/** Options of a stream or function, as passed by programs. */
export interface Options {
	flush?: number;
	finishFlush?: number;
	chunkSize?: number;
	windowBits?: number;
	level?: number;
	memLevel?: number;
	strategy?: number;
	dictionary?: unknown;
	maxOutputLength?: number;
	info?: boolean;
}

/** The same, validated and complete. */
export interface Settings {
	mode: number;
	flush: number;
	finishFlush: number;
	chunkSize: number;
	windowBits: number;
	level: number;
	memLevel: number;
	strategy: number;
	dictionary: Uint8Array | undefined;
	maxOutputLength: number;
}

/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
function isGiven(value: unknown, name: string): value is number {
	if (value === undefined || Number.isNaN(value)) return false;
	if (typeof value !== 'number') throw invalidArgument(name, 'of type number', value);
	if (!Number.isFinite(value)) throw outOfRange(name, 'a finite number', value);
	return true;
}

/** Number within limits, or the default. @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
export function numberWithin(value: unknown, name: string, [min, max]: readonly [number, number], other: number) {
	if (!isGiven(value, name)) return other;
	if (value < min || value > max) throw outOfRange(name, `>= ${min} and <= ${max}`, value);
	return value;
}

export const LEVELS = [PARAMETERS.Z_MIN_LEVEL, PARAMETERS.Z_MAX_LEVEL] as const;
export const STRATEGIES = [PARAMETERS.Z_DEFAULT_STRATEGY, PARAMETERS.Z_FIXED] as const;
const FLUSHES = [PARAMETERS.Z_NO_FLUSH, PARAMETERS.Z_BLOCK] as const;
const WITH_HEADER: readonly number[] = [MODES.INFLATE, MODES.GUNZIP, MODES.UNZIP];

/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
export function settingsOf(mode: number, options: Options = {}): Settings {
	const { Z_FINISH, Z_NO_FLUSH, Z_DEFAULT_MEMLEVEL } = PARAMETERS;
	return {
		mode,
		chunkSize: chunkSizeOf(options),
		flush: numberWithin(options.flush, 'options.flush', FLUSHES, Z_NO_FLUSH),
		finishFlush: numberWithin(options.finishFlush, 'options.finishFlush', FLUSHES, Z_FINISH),
		maxOutputLength: numberWithin(options.maxOutputLength, 'options.maxOutputLength', [1, MAX_LENGTH], MAX_LENGTH),
		windowBits: windowBitsOf(mode, options),
		level: numberWithin(options.level, 'options.level', LEVELS, PARAMETERS.Z_DEFAULT_COMPRESSION),
		memLevel: numberWithin(options.memLevel, 'options.memLevel', [1, 9], Z_DEFAULT_MEMLEVEL),
		strategy: numberWithin(options.strategy, 'options.strategy', STRATEGIES, 0),
		dictionary: dictionaryOf(options.dictionary)
	};
}

/** Size of an output chunk in bytes. @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
export function chunkSizeOf({ chunkSize }: Options): number {
	const { Z_MIN_CHUNK, Z_DEFAULT_CHUNK } = PARAMETERS;
	if (!isGiven(chunkSize, 'options.chunkSize')) return Z_DEFAULT_CHUNK;
	if (chunkSize < Z_MIN_CHUNK) throw outOfRange('options.chunkSize', `>= ${Z_MIN_CHUNK}`, chunkSize);
	return chunkSize;
}

function windowBitsOf(mode: number, { windowBits }: Options): number {
	// The header of the data specifies it.
	if (!windowBits && windowBits !== undefined && WITH_HEADER.includes(mode)) return 0;
	const least = PARAMETERS.Z_MIN_WINDOWBITS + (mode === MODES.GZIP ? 1 : 0);
	const bits = numberWithin(windowBits, 'options.windowBits', [least, 15], PARAMETERS.Z_DEFAULT_WINDOWBITS);
	// zlib itself does not write raw data with so small a window.
	return mode === MODES.DEFLATERAW && bits === 8 ? 9 : bits;
}

function dictionaryOf(given: unknown): Uint8Array | undefined {
	if (given === undefined) return undefined;
	if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
	if (given instanceof ArrayBuffer) return Buffer.from(given);
	throw invalidArgument('options.dictionary', 'an instance of Buffer, TypedArray, DataView, or ArrayBuffer', given);
}
