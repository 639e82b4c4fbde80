/** Content of a compressed file. */
export interface Content {
	bytes: Uint8Array;
	/** Bytes of the file that are not compressed data: header and trailer of the first member. */
	frame: number;
	/** Checksum in the trailer, null for a format without one. */
	crc: number | null;
}

/** Error for a file that is damaged, or of an unknown format; the message is gzip's. */
export class GzipError extends Error {
	/** @param readable the part of the content that could be read */
	constructor(
		message: string,
		readonly readable: Uint8Array = new Uint8Array()
	) {
		super(message);
	}
}

/** Error for a file that gzip recognizes but cannot decompress; the message follows the name of the file. */
export class MethodError extends GzipError {}
