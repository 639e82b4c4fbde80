import { writeSync } from 'node:fs';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnvironmentError } from '../errors.ts';

interface Place {
	offset: number;
	length: number;
}

interface OpenFile {
	directory: string;
	handle: FileHandle;
}

/** Stores contents by id, one after another in a temporary file: one file for each would cost several times as much. */
export class BlobFile {
	readonly #places = new Map<string, Place>();
	#file: Promise<OpenFile> | undefined;
	#length = 0;

	/** Adds a content that is not stored yet. One call at a time. */
	async add(blob: string, bytes: Uint8Array): Promise<void> {
		if (this.#places.has(blob)) return;
		this.#file ??= create();
		const { handle } = await this.#file;
		const offset = this.#length;
		for (let at = 0; at < bytes.length;) at += writeSync(handle.fd, bytes, at, bytes.length - at, offset + at);
		this.#length += bytes.length;
		this.#places.set(blob, { offset, length: bytes.length });
	}

	/** @throws EnvironmentError `ENOENT` for a content that was never added */
	async read(blob: string): Promise<Uint8Array> {
		const place = this.#places.get(blob);
		if (!place || !this.#file) throw new EnvironmentError('ENOENT', `No snapshot taken here holds the blob ${blob}.`);
		const { handle } = await this.#file;
		const bytes = new Uint8Array(place.length);
		for (let at = 0; at < bytes.length;) {
			const { bytesRead } = await handle.read(bytes, at, bytes.length - at, place.offset + at);
			if (bytesRead === 0) throw new EnvironmentError('EIO', `The file of the blob ${blob} was cut off.`);
			at += bytesRead;
		}
		return bytes;
	}

	/** Deletes the file once no reads are pending. */
	async dispose(): Promise<void> {
		const file = await this.#file;
		this.#file = undefined;
		this.#places.clear();
		await file?.handle.close();
		if (file) await rm(file.directory, { recursive: true, force: true });
	}
}

async function create(): Promise<OpenFile> {
	const directory = await mkdtemp(join(tmpdir(), 'sandglass-blobs-'));
	return { directory, handle: await open(join(directory, 'blobs'), 'wx+', 0o600) };
}
