import { invalidArgument, nodeError } from '../../runtime/errors.ts';
import { MAX_LENGTH } from '../buffer/checks.ts';
import { BrotliDecoder, BrotliEncoder } from './brotli.ts';
import { BROTLI } from './brotli-constants.ts';
import { CodecStream } from './codec-stream.ts';
import { chunkSizeOf, numberWithin, type Options } from './settings.ts';

/** Options of Brotli streams and functions: parameters by number. */
export interface BrotliOptions extends Options {
	params?: Record<string, unknown>;
}

const OPERATIONS = [BROTLI.BROTLI_OPERATION_PROCESS, BROTLI.BROTLI_OPERATION_EMIT_METADATA] as const;
const LAST_ENCODER_PARAMETER = BROTLI.BROTLI_PARAM_NDIRECT;
const LAST_DECODER_PARAMETER = BROTLI.BROTLI_DECODER_PARAM_LARGE_WINDOW;

/** @throws ERR_BROTLI_INVALID_PARAM, ERR_INVALID_ARG_TYPE */
function checkParameters(params: Record<string, unknown>, last: number): void {
	const known = new Set<number>();
	for (const [key, value] of Object.entries(params)) {
		if (!(Number(key) >= 0 && Number(key) <= last) || known.has(Number(key))) {
			throw nodeError(RangeError, 'ERR_BROTLI_INVALID_PARAM', `${key} is not a valid Brotli parameter`);
		}
		if (typeof value !== 'number' && typeof value !== 'boolean') {
			throw invalidArgument('options.params[key]', 'of type number', value);
		}
		known.add(Number(key));
	}
}

/** @throws ERR_ZLIB_INITIALIZATION_FAILED */
function qualityOf({ params = {} }: BrotliOptions): number {
	const quality = Number(params[BROTLI.BROTLI_PARAM_QUALITY] ?? BROTLI.BROTLI_DEFAULT_QUALITY);
	const bits = Number(params[BROTLI.BROTLI_PARAM_LGWIN] ?? BROTLI.BROTLI_DEFAULT_WINDOW);
	// A flag that brotli-wasm does not support.
	const flag = Number(params[BROTLI.BROTLI_PARAM_DISABLE_LITERAL_CONTEXT_MODELING] ?? 0);
	if ((flag === 0 || flag === 1) && Number.isInteger(quality) && quality >= 0 && Number.isInteger(bits) && bits >= 0) {
		return Math.min(quality, BROTLI.BROTLI_MAX_QUALITY);
	}
	throw nodeError(Error, 'ERR_ZLIB_INITIALIZATION_FAILED', 'Initialization failed');
}

/** Base of Brotli streams (RFC 7932). */
export class BrotliStream extends CodecStream {
	_chunkSize: number;

	/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE, ERR_BROTLI_INVALID_PARAM, ERR_ZLIB_INITIALIZATION_FAILED */
	constructor(mode: number, given?: BrotliOptions | null) {
		const options = given ?? {};
		const isEncoder = mode === BROTLI.BROTLI_ENCODE;
		const chunkSize = chunkSizeOf(options);
		const { BROTLI_OPERATION_PROCESS, BROTLI_OPERATION_FLUSH, BROTLI_OPERATION_FINISH } = BROTLI;
		const most = [1, MAX_LENGTH] as const;
		const settings = {
			flush: numberWithin(options.flush, 'options.flush', OPERATIONS, BROTLI_OPERATION_PROCESS),
			finishFlush: numberWithin(options.finishFlush, 'options.finishFlush', OPERATIONS, BROTLI_OPERATION_FINISH),
			fullFlush: BROTLI_OPERATION_FLUSH,
			maxOutputLength: numberWithin(options.maxOutputLength, 'options.maxOutputLength', most, MAX_LENGTH)
		};
		checkParameters(options.params ?? {}, isEncoder ? LAST_ENCODER_PARAMETER : LAST_DECODER_PARAMETER);
		const handle = isEncoder ? new BrotliEncoder(qualityOf(options), chunkSize) : new BrotliDecoder(chunkSize);
		super(handle, settings, options);
		this._chunkSize = chunkSize;
	}
}
