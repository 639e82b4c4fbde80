import { unzlibSync } from 'fflate';
import { toHex } from '../bytes.ts';
import type { SyncSyscalls } from '../../process/client.ts';
import { applyDelta } from './delta.ts';
import { OBJECT_TYPES, type GitObject } from './object.ts';
import { PackIndex } from './pack-index.ts';

const OFFSET_DELTA = 6;
const ID_DELTA = 7;
/** After so many single reads the whole pack is read at once: a call of the kernel costs more than copying. */
const SINGLE_READS = 64;
/** Objects that deltas were made of, kept while they are small. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** The objects of one pack, read where they are. */
export class PackFile {
	readonly index: PackIndex;
	#size: number;
	#whole: Uint8Array | undefined;
	#reads = 0;
	#bases = new Map<number, GitObject>();
	#keptBytes = 0;

	constructor(
		private readonly files: SyncSyscalls,
		private readonly path: string
	) {
		this.index = new PackIndex(files.readFile(path.replace(/\.pack$/, '.idx')));
		this.#size = files.stat(path).size;
	}

	/** @param findBase looks an object up in all packs, for a delta against another pack's object */
	read(id: string, findBase: (id: string) => GitObject): GitObject | null {
		const offset = this.index.offsetOf(id);
		return offset === null ? null : this.#readAt(offset, findBase);
	}

	#readAt(offset: number, findBase: (id: string) => GitObject): GitObject {
		const bytes = this.#bytesAt(offset);
		let at = 0;
		let byte = bytes[at++]!;
		const type = (byte >> 4) & 7;
		let size = byte & 15;
		for (let scale = 16; byte & 128; scale *= 128) {
			byte = bytes[at++]!;
			size += (byte & 127) * scale;
		}
		if (type === OFFSET_DELTA) {
			byte = bytes[at++]!;
			let back = byte & 127;
			while (byte & 128) {
				byte = bytes[at++]!;
				back = (back + 1) * 128 + (byte & 127);
			}
			const base = this.#baseAt(offset - back, findBase);
			return { type: base.type, content: applyDelta(base.content, inflate(bytes.subarray(at), size)) };
		}
		if (type === ID_DELTA) {
			const base = findBase(toHex(bytes.subarray(at, at + 20)));
			return { type: base.type, content: applyDelta(base.content, inflate(bytes.subarray(at + 20), size)) };
		}
		const name = OBJECT_TYPES[type - 1];
		if (name === undefined) throw new RangeError(`${this.path} has an object of unknown type ${type}`);
		return { type: name, content: inflate(bytes.subarray(at), size) };
	}

	#baseAt(offset: number, findBase: (id: string) => GitObject): GitObject {
		const known = this.#bases.get(offset);
		if (known) return known;
		const base = this.#readAt(offset, findBase);
		this.#keptBytes += base.content.length;
		if (this.#keptBytes > KEPT_BYTES) {
			this.#bases.clear();
			this.#keptBytes = base.content.length;
		}
		this.#bases.set(offset, base);
		return base;
	}

	/** The object's bytes in the pack, header first. */
	#bytesAt(offset: number): Uint8Array {
		const end = this.index.nextOffset(offset) ?? this.#size - 20;
		if (!this.#whole && ++this.#reads > SINGLE_READS) this.#whole = this.files.readFile(this.path);
		return this.#whole?.subarray(offset, end) ?? this.files.readFile(this.path, offset, end - offset);
	}
}

function inflate(bytes: Uint8Array, size: number): Uint8Array {
	const content = unzlibSync(bytes, { out: new Uint8Array(size) });
	if (content.length !== size) throw new RangeError('an object in a pack is not of the size it says');
	return content;
}
