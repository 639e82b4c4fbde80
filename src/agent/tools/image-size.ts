import { imageType } from './file-kind.ts';

export interface ImageSize {
	/** Pixels. */
	width: number;
	height: number;
}

/**
 * Reads a picture's dimensions from its header, without decoding it.
 *
 * @returns `undefined` if the bytes do not contain them
 */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	try {
		switch (imageType(bytes)) {
			case 'image/png':
				return { width: view.getUint32(16), height: view.getUint32(20) };
			case 'image/gif':
				return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
			case 'image/webp':
				return webpSize(view);
			case 'image/jpeg':
				return jpegSize(view);
			case undefined:
				return undefined;
		}
	} catch (error) {
		// The file ends before the dimensions.
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}

/** The three kinds of https://developers.google.com/speed/webp/docs/riff_container. */
function webpSize(view: DataView): ImageSize | undefined {
	const kind = String.fromCharCode(view.getUint8(12), view.getUint8(13), view.getUint8(14), view.getUint8(15));
	if (kind === 'VP8 ') return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
	if (kind === 'VP8L') {
		const bits = view.getUint32(21, true);
		return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
	}
	if (kind !== 'VP8X') return undefined;
	const threeBytes = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
	return { width: threeBytes(24) + 1, height: threeBytes(27) + 1 };
}

/** Reads the first segment that starts a frame. */
function jpegSize(view: DataView): ImageSize | undefined {
	for (let at = 2; ;) {
		if (view.getUint8(at) !== 0xff) return undefined;
		const marker = view.getUint8(at + 1);
		if (marker === 0xff) {
			at++;
			continue;
		}
		// C4, C8 and CC are tables and extensions.
		if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
			return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
		at += 2 + view.getUint16(at + 2);
	}
}
