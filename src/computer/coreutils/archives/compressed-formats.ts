import { concat } from '#computer/process/text.ts';
import { isGzip } from './compression.ts';
import { type GzipContent, unpackGzip } from './gzip-format.ts';
import { isLzh, unpackLzh } from './lzh-format.ts';
import { isLzw, unpackLzw } from './lzw-format.ts';
import { isPacked, unpackPacked } from './pack-format.ts';
import { GzipError, MethodError } from './unpacked-content.ts';

/** Length of the shortest file whose format can be detected. Bytes. */
const MAGIC_BYTES = 2;

interface Format {
	/** Name in the output of `gzip -lv`. */
	method: string;
	isFormat: (bytes: Uint8Array) => boolean;
	unpack: (bytes: Uint8Array, limit: number) => GzipContent;
}

/** Wraps a format that holds a single content without name, time or checksum. */
const bare =
	(unpack: (bytes: Uint8Array, limit: number) => Uint8Array) =>
	(bytes: Uint8Array, limit: number): GzipContent => ({
		...{ bytes: unpack(bytes, limit), frame: 0, crc: null, name: null, modifiedMs: null },
		trailing: new Uint8Array()
	});

/** Formats that gzip unpacks. */
const FORMATS: readonly Format[] = [
	{ method: 'defla', isFormat: isGzip, unpack: unpackGzip },
	{ method: 'compr', isFormat: isLzw, unpack: bare(unpackLzw) },
	{ method: 'pack', isFormat: isPacked, unpack: bare(unpackPacked) },
	{ method: 'lzh', isFormat: isLzh, unpack: bare(unpackLzh) }
];

const formatOf = (bytes: Uint8Array): Format | undefined => FORMATS.find(({ isFormat }) => isFormat(bytes));

export const isCompressed = (bytes: Uint8Array): boolean => formatOf(bytes) !== undefined;

export const methodOf = (bytes: Uint8Array): string => formatOf(bytes)?.method ?? '';

/**
 * Unpacks a file of one of the formats.
 *
 * @param limit largest content in bytes
 * @throws GzipError
 */
export function unpackAny(bytes: Uint8Array, limit: number): GzipContent {
	if (bytes.length < MAGIC_BYTES) throw new GzipError('unexpected end of file');
	const format = formatOf(bytes);
	if (!format) throw new GzipError('not in gzip format');
	const content = format.unpack(bytes, limit);
	// Files of all formats may be concatenated.
	return isCompressed(content.trailing) ? withRest(content, limit - content.bytes.length) : content;
}

function withRest(content: GzipContent, limit: number): GzipContent {
	try {
		const { bytes, trailing } = unpackAny(content.trailing, limit);
		return { ...content, bytes: concat([content.bytes, bytes]), trailing };
	} catch (error) {
		if (!(error instanceof GzipError)) throw error;
		const Kind = error instanceof MethodError ? MethodError : GzipError;
		throw new Kind(error.message, concat([content.bytes, error.readable]));
	}
}
