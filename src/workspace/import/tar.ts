import { paddingOf, TarParser, type ReadMember } from '#environment/archive/tar-format.ts';
import { BLOCK } from '#environment/archive/tar-header.ts';
import type { LoadEntry } from '#environment/contract.ts';
import { entryPathFault, isGitDirectoryName } from '#environment/entry-path.ts';
import { Mode } from '#environment/mode.ts';
import { ImportError } from './errors.ts';

/** Maximum size that octal digits can encode (8 GiB): larger than any project that fits here. Bytes. */
const MAX_MEMBER_BYTES = 8 ** 11;

/**
 * Reads a tar stream as it arrives. Skips directories and drops the first part of each path, since hosts' archives have
 * one folder around everything.
 *
 * @param onCommit called, more than once, with the commit that `git archive` writes into the archive's comment
 * @throws ImportError `damaged` when it ends early or a header is invalid, `too_large` for a member of 8 GiB or more
 */
export async function* readTar(
	stream: ReadableStream<Uint8Array>,
	onCommit?: (commit: string) => void
): AsyncGenerator<LoadEntry> {
	const source = new ByteReader(stream);
	const parser = new TarParser();
	try {
		for (;;) {
			// An archive ends with a block of zeros: without it, files were lost during the transfer.
			const size = parser.header(await source.take(BLOCK));
			if (size === null) break;
			if (size >= MAX_MEMBER_BYTES) throw new ImportError('too_large', 'tar entry');
			const bytes = await source.take(size);
			await source.skip(paddingOf(size));
			const member = parser.content(bytes);
			const entry = member && entryOf(member);
			if (entry) yield entry;
			else if (parser.commit !== null) onCommit?.(parser.commit);
		}
	} catch (error) {
		throw error instanceof ImportError ? error : new ImportError('damaged', String(error));
	} finally {
		await source.cancel();
	}
}

function entryOf({ name, kind, isRegular, mode, target, bytes }: ReadMember): LoadEntry | null {
	const path = inside(name);
	if (path === null) return null;
	if (isRegular) return { path, mode: mode & 0o111 ? Mode.executable : Mode.file, bytes };
	if (kind === 'symlink') return { path, mode: Mode.symlink, bytes: new TextEncoder().encode(target) };
	return null;
}

/**
 * The path below the archive's one folder; `null` for the folder itself, for any path that leads outside, and for
 * `.git`, which an archive of a commit cannot contain.
 */
function inside(name: string): string | null {
	const parts = name.split('/').filter((part) => part !== '' && part !== '.');
	const path = parts.slice(1).join('/');
	return parts.includes('..') || parts.some(isGitDirectoryName) || entryPathFault(path) !== null ? null : path;
}

/** Reads exact numbers of bytes from a stream of chunks. */
class ByteReader {
	readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
	#chunk: Uint8Array = new Uint8Array(0);
	/** First byte of the chunk that has not been read yet. */
	#at = 0;

	constructor(stream: ReadableStream<Uint8Array>) {
		this.#reader = stream.getReader();
	}

	/**
	 * Returns a copy, so that chunks can be freed.
	 *
	 * @throws ImportError `damaged` when the stream ends too early
	 */
	async take(length: number): Promise<Uint8Array> {
		const whole = this.#next(length);
		if (whole.length === length) return whole.slice();
		const result = new Uint8Array(length);
		result.set(whole);
		let filled = whole.length;
		while (filled < length) {
			await this.#read();
			const part = this.#next(length - filled);
			result.set(part, filled);
			filled += part.length;
		}
		return result;
	}

	/** Skips bytes. @throws ImportError `damaged` when the stream ends too early */
	async skip(length: number): Promise<void> {
		let left = length - this.#next(length).length;
		while (left > 0) {
			await this.#read();
			left -= this.#next(left).length;
		}
	}

	/** Returns up to `length` bytes of the current chunk. */
	#next(length: number): Uint8Array {
		const part = this.#chunk.subarray(this.#at, this.#at + length);
		this.#at += part.length;
		return part;
	}

	async #read(): Promise<void> {
		const { done, value } = await this.#reader.read();
		if (done) throw new ImportError('damaged', 'tar ended early');
		this.#chunk = value;
		this.#at = 0;
	}

	async cancel(): Promise<void> {
		await this.#reader.cancel().catch(() => {});
	}
}
