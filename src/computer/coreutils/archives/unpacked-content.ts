/** Content of a compressed file. */
export interface Content {
	bytes: Uint8Array;
	/** Bytes of the file that are no compressed data: header and trailer of the first member. */
	frame: number;
	/** Sum in the trailer, null for a format without one. */
	crc: number | null;
}

/** A file that is damaged, or of no known format; the message is gzip's. */
export class GzipError extends Error {
	/** @param readable what could be read of it */
	constructor(
		message: string,
		readonly readable: Uint8Array = new Uint8Array()
	) {
		super(message);
	}
}

/** A file of a kind that gzip knows and cannot unpack; the message follows the name of the file. */
export class MethodError extends GzipError {}
