import { sha1 } from '@noble/hashes/legacy.js';
import { FILE_BYTES } from '#computer/abi/limits.ts';
import { SyscallError } from '#computer/abi/client.ts';
import { crc32 } from '#environment/crc32.ts';
import { decode, equalBytes, toHex } from '../bytes.ts';
import { applyDelta } from './delta.ts';
import { EndsEarly, inflateInto } from '#environment/archive/inflate.ts';
import { objectId, type GitObject, type ObjectType } from './object.ts';
import { inflatePacked, readPackedObject, type PackedObject } from './packed-object.ts';
import { packIndex, type IndexedObject } from './write-pack-index.ts';

const HEAD_BYTES = 12;
const DIGEST_BYTES = 20;
/**
 * Maximum size of cached contents, for deltas and later readers; contents that do not fit are inflated again on demand.
 */
const CACHE_BYTES = 128 * 1024 * 1024;

/** An object as it was received. */
interface Received extends IndexedObject {
	packed: PackedObject;
	/** Base of its delta, once known: another received object, or one from the repository. */
	base: Received | GitObject | null;
	type: ObjectType | null;
	content: Uint8Array | null;
}

/** A complete and valid pack. */
export interface ReceivedPack {
	/** `pack-<id>`, without an extension. */
	name: string;
	pack: Uint8Array;
	index: Uint8Array;
	/** Cached objects by id. */
	objects: ReadonlyMap<string, GitObject>;
}

/** Location of an object in a received pack. */
export interface PlacedObject {
	id: string;
	type: ObjectType;
	offset: number;
	/** Size of its bytes in the pack, and of its content or delta. */
	stored: number;
	size: number;
	crc: number;
	/** Id of its delta base, and the length of the delta chain; null if it is stored whole. */
	delta: { base: string; depth: number } | null;
}

/**
 * Parses a pack while it arrives: each object is inflated, rebuilt from its delta and hashed once. The input is not
 * trusted: sizes are limited, delta bases must be known objects, and the last bytes must be the hash of all the others.
 */
export class PackReceiver {
	#bytes: Uint8Array = new Uint8Array(1024 * 1024);
	#filled = 0;
	/** Start of the next object. */
	#at = 0;
	#count = 0;
	/** Number of bytes before the next attempt to parse an object. */
	#enough = HEAD_BYTES;
	#hash = sha1.create();
	#objects: Received[] = [];
	#byOffset = new Map<number, Received>();
	#byId = new Map<string, Received>();
	/** Deltas whose base is not yet known, by the base's id or by the base itself. */
	#waiting = new Map<string | Received, Received[]>();
	#cachedBytes = 0;
	readonly #outside: GitObject[] = [];

	/** @param findBase finds an object in the repository, which may be the base of a delta */
	constructor(
		private readonly findBase: (id: string) => GitObject | null,
		/** Compares an existing object in the repository with a received one of the same id. */
		private readonly comparesKnown = false
	) {}

	/** Number of objects read so far, and the total. */
	get progress(): { loaded: number; total: number } {
		return { loaded: this.#objects.length, total: this.#count };
	}

	/**
	 * Parses the next bytes. @throws RangeError if this is not a valid pack, SyscallError EFBIG if it is too large for a
	 * file here
	 */
	push(bytes: Uint8Array): void {
		this.#append(bytes);
		if (this.#filled >= this.#enough) this.#read(false);
	}

	/** @returns null if the pack is empty or there was none. @throws RangeError if it is invalid */
	finish(): ReceivedPack | null {
		if (this.#filled === 0) return null;
		this.#read(true);
		const end = this.#at;
		const digest = this.#bytes.subarray(end, this.#filled);
		if (toHex(this.#hash.digest()) !== toHex(digest)) throw new RangeError('a pack is not what its checksum says');
		if (this.#count === 0) return null;
		this.#resolveFromOutside();
		if (this.#waiting.size > 0) throw new RangeError('a pack has deltas of objects that are nowhere');
		const own = this.#objects.map(({ id, offset, crc }) => ({ id, offset, crc }));
		const { index } = packIndex(own, digest.slice());
		const objects = new Map<string, GitObject>();
		for (const { id, type, content } of this.#objects) if (type && content) objects.set(id, { type, content });
		return { name: `pack-${toHex(digest)}`, pack: this.#bytes.subarray(0, this.#filled), index, objects };
	}

	/** The objects of the pack in order. Call after the whole pack was read. */
	placed(): PlacedObject[] {
		const depths = new Map<Received, number>();
		const depthOf = (object: Received): number => {
			const chain: Received[] = [];
			let next: Received | GitObject | null = object;
			while (next && 'packed' in next && next.base && !depths.has(next)) {
				chain.push(next);
				next = next.base;
			}
			let depth = next && 'packed' in next ? (depths.get(next) ?? 0) : 0;
			for (let one = chain.pop(); one; one = chain.pop()) depths.set(one, ++depth);
			return depth;
		};
		return this.#objects.map((object, i): PlacedObject => {
			const { id, type, offset, crc, base, packed } = object;
			const baseId = base === null ? null : 'packed' in base ? base.id : objectId(base.type, base.content);
			return {
				...{ id, offset, crc, type: type ?? 'blob', size: packed.size },
				stored: (this.#objects[i + 1]?.offset ?? this.#at) - offset,
				delta: baseId === null ? null : { base: baseId, depth: depthOf(object) }
			};
		});
	}

	/** Bytes of the whole pack. Call after it was read. */
	pack(): Uint8Array {
		return this.#bytes.subarray(0, this.#filled);
	}

	/** Number of deltas whose base is not in the pack. */
	get thinCount(): number {
		return this.#objects.filter(({ base }) => base !== null && !('packed' in base)).length;
	}

	/** Contents of all objects. Call after the whole pack was read. */
	*contents(): Generator<GitObject & { id: string }> {
		for (const object of this.#objects)
			if (object.type) yield { id: object.id, type: object.type, content: this.#contentOf(object) };
	}

	/** Delta bases that are only in the repository, and must be added to make the pack self-contained. */
	get outsideBases(): readonly GitObject[] {
		return this.#outside;
	}

	#append(bytes: Uint8Array): void {
		const filled = this.#filled + bytes.length;
		if (filled > FILE_BYTES)
			throw new SyscallError('EFBIG', `what the server sends is too large: more than ${FILE_BYTES >> 20} MB`);
		if (filled > this.#bytes.length) {
			const larger = new Uint8Array(Math.min(FILE_BYTES, Math.max(filled, this.#bytes.length * 2)));
			larger.set(this.#bytes.subarray(0, this.#filled));
			this.#bytes = larger;
		}
		this.#bytes.set(bytes, this.#filled);
		this.#filled = filled;
	}

	/** Parses the objects received so far. */
	#read(isAll: boolean): void {
		try {
			if (this.#at === 0) this.#readHead();
			while (this.#objects.length < this.#count) this.#readObject();
		} catch (error) {
			if (isAll || !(error instanceof EndsEarly)) throw error;
			// Doubled before the next attempt, so that a large object is not parsed over and over.
			this.#enough = this.#at + Math.max(2 * (this.#filled - this.#at), 4096);
			return;
		}
		this.#enough = Infinity;
		if (isAll && this.#filled !== this.#at + DIGEST_BYTES) throw new RangeError('a pack does not end where it should');
	}

	#readHead(): void {
		if (this.#filled < HEAD_BYTES) throw new EndsEarly('a pack ends early');
		const view = new DataView(this.#bytes.buffer);
		const version = view.getUint32(4);
		if (decode(this.#bytes.subarray(0, 4)) !== 'PACK' || (version !== 2 && version !== 3))
			throw new RangeError('what the server sends is no pack');
		this.#count = view.getUint32(8);
		this.#passTo(HEAD_BYTES);
	}

	#readObject(): void {
		const bytes = this.#bytes.subarray(0, this.#filled);
		const offset = this.#at;
		const packed = readPackedObject(bytes, offset);
		const { is, size, dataAt } = packed;
		if (size > FILE_BYTES) throw new SyscallError('EFBIG', `an object is too large: more than ${FILE_BYTES >> 20} MB`);
		const content = new Uint8Array(size);
		const end = inflateInto(bytes, dataAt, content);
		const crc = crc32(bytes.subarray(offset, end));
		const object: Received = { id: '', offset, crc, packed, base: null, type: null, content: null };
		this.#objects.push(object);
		this.#byOffset.set(offset, object);
		this.#passTo(end);
		if (typeof is === 'string') return this.#complete(object, is, content);
		const base = 'id' in is ? this.#byId.get(is.id) : this.#byOffset.get(offset - is.back);
		if (!base && 'back' in is) throw new RangeError('a pack has a delta of something that is no object');
		if (base?.type) return this.#complete(object, base.type, this.#fromDelta(object, base, content));
		const key = base ?? ('id' in is ? is.id : '');
		const waiting = this.#waiting.get(key);
		if (waiting) waiting.push(object);
		else this.#waiting.set(key, [object]);
	}

	#passTo(end: number): void {
		this.#hash.update(this.#bytes.subarray(this.#at, end));
		this.#at = end;
	}

	#fromDelta(object: Received, base: Received | GitObject, delta = this.#inflated(object)): Uint8Array {
		object.base = base;
		return applyDelta(this.#contentOf(base), delta);
	}

	/** Records a rebuilt object, and rebuilds the deltas that waited for it. */
	#complete(first: Received, type: ObjectType, content: Uint8Array): void {
		this.#note(first, type, content);
		const done = [first];
		for (let base = done.pop(); base; base = done.pop()) {
			for (const key of [base, base.id]) {
				const deltas = this.#waiting.get(key) ?? [];
				this.#waiting.delete(key);
				for (const delta of deltas) {
					this.#note(delta, type, this.#fromDelta(delta, base));
					done.push(delta);
				}
			}
		}
	}

	#note(object: Received, type: ObjectType, content: Uint8Array): void {
		object.id = objectId(type, content);
		const known = this.comparesKnown ? this.findBase(object.id) : null;
		if (known && (known.type !== type || !equalBytes(known.content, content)))
			throw new RangeError(`SHA1 COLLISION FOUND WITH ${object.id} !`);
		object.type = type;
		this.#byId.set(object.id, object);
		this.#cachedBytes += content.length;
		if (this.#cachedBytes > CACHE_BYTES) {
			for (const other of this.#objects) other.content = null;
			this.#cachedBytes = content.length;
		}
		object.content = content;
	}

	/** Rebuilds deltas whose base was in the repository before. */
	#resolveFromOutside(): void {
		for (const key of [...this.#waiting.keys()]) {
			const base = typeof key === 'string' ? this.findBase(key) : null;
			if (!base) continue;
			this.#outside.push(base);
			const deltas = this.#waiting.get(key) ?? [];
			this.#waiting.delete(key);
			for (const delta of deltas) this.#complete(delta, base.type, this.#fromDelta(delta, base));
		}
	}

	#inflated({ packed }: Received): Uint8Array {
		return inflatePacked(this.#bytes.subarray(0, this.#filled), packed);
	}

	/** Content of an object that was rebuilt before, however long its delta chain is. */
	#contentOf(wanted: Received | GitObject): Uint8Array {
		const chain: Received[] = [];
		let base: Received | GitObject = wanted;
		while ('packed' in base && !base.content && base.base) {
			chain.push(base);
			base = base.base;
		}
		let content = base.content ?? ('packed' in base ? this.#inflated(base) : new Uint8Array(0));
		for (let object = chain.pop(); object; object = chain.pop()) content = applyDelta(content, this.#inflated(object));
		return content;
	}
}
