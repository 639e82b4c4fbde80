/** Content of a compressed file. */
export interface Content {
	bytes: Uint8Array;
	/** Size of the parts that are not compressed data: header and trailer of the first member. Bytes. */
	frame: number;
	/** Checksum in the trailer; null if the format has none. */
	crc: number | null;
}

/** A file is damaged or of an unknown format; the message is gzip's. */
export class GzipError extends Error {
	/** @param readable the part that could be read */
	constructor(
		message: string,
		readonly readable: Uint8Array = new Uint8Array()
	) {
		super(message);
	}
}

/** A file uses a method that gzip knows but cannot unpack; the message follows the file's name. */
export class MethodError extends GzipError {}
