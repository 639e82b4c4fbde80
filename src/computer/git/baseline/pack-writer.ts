import { zlibSync } from 'fflate';
import { sha1 } from '#environment/sha1.ts';
import { objectId, type ObjectType } from '../objects/object.ts';
import { objectHead, PACK_HEAD_BYTES, packedType, packHead } from '../objects/pack-format.ts';
import { packIndex, type IndexedObject } from '../objects/write-pack-index.ts';
import { crc32 } from '#environment/crc32.ts';
import { storedSize, writeStored } from './stored.ts';

/** Finished pack and its index, to be written next to each other. */
export interface FinishedPack {
	/** `pack-<id>`, without a file extension. */
	name: string;
	pack: Uint8Array;
	index: Uint8Array;
}

/** Size limit of a pack, since files in the sandbox have one. */
const PACK_BYTES = 48 * 1024 * 1024;
/** Size from which a content is compressed, so that its pack stays under the limit too. */
const COMPRESS_FROM = 12 * 1024 * 1024;

/** Collects objects into packs, each object once. */
export class PackWriter {
	readonly #emit: (pack: FinishedPack) => void;
	#known = new Set<string>();
	#objects: IndexedObject[] = [];
	#buffer: Uint8Array;
	#at = PACK_HEAD_BYTES;

	/** @param expectedBytes of content, to allocate memory once; more is allowed */
	constructor(emit: (pack: FinishedPack) => void, expectedBytes = 1 << 20) {
		this.#emit = emit;
		this.#buffer = new Uint8Array(Math.min(PACK_BYTES, expectedBytes + expectedBytes / 4 + 65536));
	}

	/** Adds an object and returns its id. */
	add(type: ObjectType, content: Uint8Array): string {
		const id = objectId(type, content);
		if (this.#known.has(id)) return id;
		this.#known.add(id);
		const compressed = content.length >= COMPRESS_FROM ? zlibSync(content, { level: 1 }) : null;
		const room = 10 + (compressed?.length ?? storedSize(content.length));
		if (this.#at + room > PACK_BYTES && this.#objects.length > 0) this.finish();
		this.#reserve(room + 20);
		const offset = this.#at;
		this.#put(objectHead(packedType(type), content.length));
		if (compressed) this.#put(compressed);
		else this.#at = writeStored(content, this.#buffer, this.#at);
		const crc = crc32(this.#buffer.subarray(offset, this.#at));
		this.#objects.push({ id, offset, crc });
		return id;
	}

	/** Finishes the current pack, if there is one. */
	finish(): void {
		if (this.#objects.length === 0) return;
		this.#buffer.set(packHead(this.#objects.length));
		const digest = sha1(this.#buffer.subarray(0, this.#at));
		this.#reserve(20);
		this.#buffer.set(digest, this.#at);
		const { name, index } = packIndex(this.#objects, digest);
		this.#emit({ name, pack: this.#buffer.slice(0, this.#at + 20), index });
		this.#objects = [];
		this.#at = PACK_HEAD_BYTES;
	}

	#put(bytes: Uint8Array): void {
		this.#buffer.set(bytes, this.#at);
		this.#at += bytes.length;
	}

	#reserve(bytes: number): void {
		if (this.#at + bytes <= this.#buffer.length) return;
		const larger = new Uint8Array(Math.max(this.#at + bytes, this.#buffer.length * 2));
		larger.set(this.#buffer.subarray(0, this.#at));
		this.#buffer = larger;
	}
}
