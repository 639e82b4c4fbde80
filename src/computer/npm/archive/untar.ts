const BLOCK = 512;
const decoder = new TextDecoder();

export interface TarFile {
	/** As it stands in the archive. */
	path: string;
	mode: number;
	bytes: Uint8Array;
}

/**
 * The plain files of a tar archive (ustar, with GNU's and POSIX's long names). Links and devices are left out,
 * as npm leaves them out of packages. @throws Error when the archive ends early
 */
export function* untar(archive: Uint8Array): Generator<TarFile> {
	let long: string | null = null;
	for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0;) {
		const header = archive.subarray(at, at + BLOCK);
		const size = number(header, 124, 12);
		const end = at + BLOCK + size;
		if (end > archive.length) throw new Error('The archive ends in the middle of a file.');
		const bytes = archive.subarray(at + BLOCK, end);
		const type = String.fromCharCode(header[156] || 48);
		at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
		if (type === 'L') long = decoder.decode(bytes).replace(/\0+$/, '');
		else if (type === 'x') long = recordPath(bytes) ?? long;
		else if (type !== 'g' && type !== 'K') {
			const prefix = decoder.decode(header.subarray(257, 262)) === 'ustar' ? text(header, 345, 155) : '';
			const path = long ?? (prefix ? `${prefix}/${text(header, 0, 100)}` : text(header, 0, 100));
			long = null;
			if (type === '0' || type === '7') yield { path, mode: number(header, 100, 8), bytes };
		}
	}
}

/** `path` of a POSIX extended header: `<length> path=<value>\n`, the length in bytes. */
function recordPath(bytes: Uint8Array): string | null {
	for (let at = 0; at < bytes.length;) {
		const space = bytes.indexOf(32, at);
		const length = Number.parseInt(decoder.decode(bytes.subarray(at, space)), 10);
		if (space < 0 || !(length > 0)) return null;
		const record = decoder.decode(bytes.subarray(space + 1, at + length - 1));
		if (record.startsWith('path=')) return record.slice(5);
		at += length;
	}
	return null;
}

function text(header: Uint8Array, at: number, length: number): string {
	const field = header.subarray(at, at + length);
	const end = field.indexOf(0);
	return decoder.decode(end < 0 ? field : field.subarray(0, end));
}

/** Octal digits, or big-endian bytes where the first has its highest bit set. */
function number(header: Uint8Array, at: number, length: number): number {
	if ((header[at] ?? 0) & 0x80) {
		return header.subarray(at + 1, at + length).reduce((sum, byte) => sum * 256 + byte, 0);
	}
	return Number.parseInt(text(header, at, length).trim() || '0', 8);
}
