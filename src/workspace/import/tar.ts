import { ImportError } from './errors.ts';
import type { LoadEntry } from '#environment/contract.ts';
import { entryPathFault, isGitDirectoryName } from '#environment/entry-path.ts';
import { Mode } from '#environment/mode.ts';

const BLOCK = 512;
const decoder = new TextDecoder();

/**
 * Reads a tar stream (ustar, pax and GNU long names) as it arrives. Directories are left out, the
 * first part of each path is dropped as hosts' archives have one folder around everything.
 *
 * @param onCommit told the commit that `git archive` writes into the archive's comment
 * @throws ImportError `damaged` when it ends early or a checksum is wrong
 */
export async function* readTar(
	stream: ReadableStream<Uint8Array>,
	onCommit?: (commit: string) => void
): AsyncGenerator<LoadEntry> {
	const source = new ByteReader(stream);
	let longName: string | undefined;
	let pax: Record<string, string> = {};
	try {
		for (;;) {
			const header = await source.take(BLOCK);
			// An archive ends with a block of zeros: one that just stops lost files on its way.
			if (header === null) throw new ImportError('damaged', 'tar ended early');
			if (header.every((byte) => byte === 0)) return;
			if (!checksumFits(header)) throw new ImportError('damaged', 'tar checksum');
			const size = pax['size'] === undefined ? octal(header, 124, 12) : Number(pax['size']);
			const type = String.fromCharCode(header[156] ?? 0);
			const body = await source.take(size);
			if (body === null) throw new ImportError('damaged', 'tar ended early');
			await source.take((BLOCK - (size % BLOCK)) % BLOCK);
			if (type === 'x') pax = paxRecords(body);
			else if (type === 'L') longName = text(body, 0, size);
			else if (type === 'g') {
				const comment = paxRecords(body)['comment'];
				if (comment && /^[0-9a-f]{40}$/.test(comment)) onCommit?.(comment);
			} else {
				const prefix = text(header, 345, 155);
				const short = text(header, 0, 100);
				const name = pax['path'] ?? longName ?? (prefix ? `${prefix}/${short}` : short);
				const path = inside(name);
				if (path !== null && (type === '0' || type === '\0')) {
					yield { path, mode: octal(header, 100, 8) & 0o111 ? Mode.executable : Mode.file, bytes: body };
				} else if (path !== null && type === '2') {
					const target = pax['linkpath'] ?? text(header, 157, 100);
					yield { path, mode: Mode.symlink, bytes: new TextEncoder().encode(target) };
				}
				pax = {};
				longName = undefined;
			}
		}
	} finally {
		await source.cancel();
	}
}

/**
 * The path below the archive's one folder; `null` for the folder itself, for anything that climbs out, and for a
 * repository's own directory, which an archive of a commit cannot hold.
 */
function inside(name: string): string | null {
	const parts = name.split('/').filter((part) => part !== '' && part !== '.');
	const path = parts.slice(1).join('/');
	return parts.includes('..') || parts.some(isGitDirectoryName) || entryPathFault(path) !== null ? null : path;
}

function text(block: Uint8Array, offset: number, length: number): string {
	const field = block.subarray(offset, offset + length);
	const end = field.indexOf(0);
	return decoder.decode(end < 0 ? field : field.subarray(0, end));
}

function octal(block: Uint8Array, offset: number, length: number): number {
	const first = block[offset] ?? 0;
	// GNU's base-256 for sizes past 8 GiB: more than fits here anyway.
	if (first & 0x80) throw new ImportError('too_large', 'tar entry');
	const value = Number.parseInt(text(block, offset, length).trim() || '0', 8);
	if (!Number.isSafeInteger(value) || value < 0) throw new ImportError('damaged', 'tar number');
	return value;
}

function checksumFits(header: Uint8Array): boolean {
	let sum = 0;
	header.forEach((byte, index) => (sum += index >= 148 && index < 156 ? 32 : byte));
	return sum === octal(header, 148, 8);
}

function paxRecords(body: Uint8Array): Record<string, string> {
	const records: Record<string, string> = Object.create(null) as Record<string, string>;
	for (let at = 0; at < body.length;) {
		const space = body.indexOf(32, at);
		const length = space < 0 ? Number.NaN : Number(decoder.decode(body.subarray(at, space)));
		if (!Number.isSafeInteger(length) || length <= space - at) throw new ImportError('damaged', 'pax record');
		const [key, ...value] = decoder.decode(body.subarray(space + 1, at + length - 1)).split('=');
		if (key) records[key] = value.join('=');
		at += length;
	}
	return records;
}

/** Takes exact numbers of bytes from a stream of chunks. */
class ByteReader {
	readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
	#chunk: Uint8Array = new Uint8Array(0);

	constructor(stream: ReadableStream<Uint8Array>) {
		this.#reader = stream.getReader();
	}

	/** `null` when the stream ended before; a copy otherwise, so that chunks can be freed. */
	async take(length: number): Promise<Uint8Array | null> {
		const result = new Uint8Array(length);
		let filled = 0;
		while (filled < length) {
			if (this.#chunk.length === 0) {
				const { done, value } = await this.#reader.read();
				if (done) return null;
				this.#chunk = value;
			}
			const part = this.#chunk.subarray(0, length - filled);
			result.set(part, filled);
			filled += part.length;
			this.#chunk = this.#chunk.subarray(part.length);
		}
		return result;
	}

	async cancel(): Promise<void> {
		await this.#reader.cancel().catch(() => {});
	}
}
