import type { SyncSyscalls } from '#computer/abi/client.ts';
import type { GitObject } from './object.ts';
import { PackIndex } from './pack-index.ts';
import { fromDelta, inflatePacked, readPackedObject } from './packed-object.ts';

/** Number of single reads after which the whole pack is read: a system call costs more than copying. */
const SINGLE_READS = 64;
/** Maximum size of the cache of small delta bases. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** The objects of one pack, read in place. */
export class PackFile {
	readonly index: PackIndex;
	#size: number;
	#whole: Uint8Array | undefined;
	#reads = 0;
	#bases = new Map<number, GitObject>();
	#cachedBytes = 0;

	constructor(
		private readonly files: SyncSyscalls,
		readonly path: string
	) {
		this.index = new PackIndex(files.readFile(path.replace(/\.pack$/, '.idx')));
		this.#size = files.stat(path).size;
	}

	/** Returns whether a `.keep` file protects the pack from being repacked. */
	get isKept(): boolean {
		return this.files.statOrNull(this.path.replace(/pack$/, 'keep')) !== null;
	}

	/** Returns whether the pack is from a promisor remote, which has what its objects refer to. */
	get isPromisor(): boolean {
		return this.files.statOrNull(this.path.replace(/pack$/, 'promisor')) !== null;
	}

	/** @param findBase finds an object in all packs, for a delta whose base is in another pack */
	read(id: string, findBase: (id: string) => GitObject): GitObject | null {
		const offset = this.index.offsetOf(id);
		return offset === null ? null : this.#readAt(offset, findBase);
	}

	/** Size of an object in the pack; null if the pack does not contain it. */
	storedSize(id: string): number | null {
		const offset = this.index.offsetOf(id);
		return offset === null ? null : (this.index.nextOffset(offset) ?? this.#size - 20) - offset;
	}

	/** Id of an object's delta base; null if it is stored whole or not in this pack. */
	deltaBase(id: string): string | null {
		const offset = this.index.offsetOf(id);
		if (offset === null) return null;
		const { is } = readPackedObject(this.#bytesAt(offset), 0);
		if (typeof is === 'string') return null;
		return 'id' in is ? is.id : this.index.idOf(offset - is.back);
	}

	#readAt(offset: number, findBase: (id: string) => GitObject): GitObject {
		const bytes = this.#bytesAt(offset);
		const packed = readPackedObject(bytes, 0);
		const { is } = packed;
		const content = inflatePacked(bytes, packed);
		if (typeof is === 'string') return { type: is, content };
		return fromDelta('id' in is ? findBase(is.id) : this.#baseAt(offset - is.back, findBase), content);
	}

	#baseAt(offset: number, findBase: (id: string) => GitObject): GitObject {
		const known = this.#bases.get(offset);
		if (known) return known;
		const base = this.#readAt(offset, findBase);
		this.#cachedBytes += base.content.length;
		if (this.#cachedBytes > CACHE_BYTES) {
			this.#bases.clear();
			this.#cachedBytes = base.content.length;
		}
		this.#bases.set(offset, base);
		return base;
	}

	/** Bytes of an object in the pack, starting with its header. */
	#bytesAt(offset: number): Uint8Array {
		const end = this.index.nextOffset(offset) ?? this.#size - 20;
		if (!this.#whole && ++this.#reads > SINGLE_READS) this.#whole = this.files.readFile(this.path);
		return this.#whole?.subarray(offset, end) ?? this.files.readFile(this.path, offset, end - offset);
	}
}
