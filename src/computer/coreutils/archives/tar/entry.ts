import { numberAt, paddingOf, paxRecords } from '#environment/archive/tar-format.ts';
import { BLOCK, checksumOf } from '#environment/archive/tar-header.ts';
import { decode } from '#computer/process/text.ts';

/** Member with all data from its headers. */
export interface Entry {
	name: string;
	/** Type in POSIX notation: `0` a file, `1` a hard link, `2` a symbolic link, `5` a directory; GNU's `D` `V` `M`. */
	type: string;
	mode: number;
	userId: number;
	groupId: number;
	user: string;
	group: string;
	modifiedMs: number;
	/** Target of a link. */
	target: string;
	content: Uint8Array;
	/** Entries of a directory as listed in an incremental archive. */
	listing: Uint8Array | null;
}

/** Entry with the position of its bytes in the archive, including preceding headers. */
export interface StoredEntry extends Entry {
	start: number;
	end: number;
	/** Position of its own header. */
	headerAt: number;
}

/** Archive that was read. */
export interface Archive {
	entries: StoredEntry[];
	/** Position after the last entry. */
	end: number;
	/** Errors in it; any of them makes the exit status 2. */
	faults: string[];
	/** Set if the archive ends within an entry: nothing after it can be read. */
	isCut: boolean;
	/** Number of a single zero block. */
	loneZeroBlock: number | null;
}

const text = (block: Uint8Array, offset: number, length: number): string => {
	const field = block.subarray(offset, offset + length);
	const end = field.indexOf(0);
	return decode(end < 0 ? field : field.subarray(0, end));
};

const isZero = (block: Uint8Array) => block.every((byte) => byte === 0);

/** Parses an archive in memory, block by block; contents are views of it. */
export function readArchive(bytes: Uint8Array, ignoresZeros = false): Archive {
	return new ArchiveReader(bytes, ignoresZeros).read();
}

/** Header fields set by extended headers before a member. */
interface Extended {
	start: number;
	records: Map<string, string>;
}

class ArchiveReader {
	#at = 0;
	#global = new Map<string, string>();
	#archive: Archive = { entries: [], end: 0, faults: [], isCut: false, loneZeroBlock: null };

	constructor(
		private readonly bytes: Uint8Array,
		private readonly ignoresZeros: boolean
	) {}

	read(): Archive {
		const { bytes } = this;
		let extended: Extended | null = null;
		let isLost = false;
		for (; this.#at + BLOCK <= bytes.length;) {
			const block = bytes.subarray(this.#at, this.#at + BLOCK);
			if (isZero(block)) {
				if (this.#isEnd()) break;
				this.#at += BLOCK;
				continue;
			}
			if (checksumOf(block) !== numberAt(block, 148, 8)) {
				if (!isLost) this.#lose();
				isLost = true;
				this.#at += BLOCK;
				continue;
			}
			isLost = false;
			extended = this.#member(block, extended);
			if (this.#archive.isCut) break;
		}
		if (bytes.length > 0 && bytes.length < BLOCK) this.#archive.faults.push(NO_ARCHIVE);
		return this.#archive;
	}

	/** Returns whether a block of zeros ends the archive. */
	#isEnd(): boolean {
		if (this.ignoresZeros) return false;
		const next = this.bytes.subarray(this.#at + BLOCK, this.#at + 2 * BLOCK);
		if (next.length === BLOCK && !isZero(next)) this.#archive.loneZeroBlock = this.#at / BLOCK + 1;
		return true;
	}

	#lose(): void {
		if (this.#archive.entries.length === 0) this.#archive.faults.push(NO_ARCHIVE);
		this.#archive.faults.push('Skipping to next header');
	}

	/** Parses a member or an extended header. Returns the data for the next member. */
	#member(block: Uint8Array, before: Extended | null): Extended | null {
		const headerAt = this.#at;
		const type = String.fromCharCode(block[156] ?? 0);
		const { start, records } = before ?? { start: headerAt, records: new Map<string, string>() };
		const fixed = type === 'x' || type === 'g' || type === 'L' || type === 'K';
		const size = Number((fixed ? null : records.get('size')) ?? numberAt(block, 124, 12));
		const hasContent = !/[123456V]/.test(type) || type === '5';
		const length = hasContent && Number.isSafeInteger(size) && size > 0 ? size : 0;
		const content = this.bytes.subarray(headerAt + BLOCK, headerAt + BLOCK + length);
		this.#at += BLOCK + length + paddingOf(length);
		if (content.length < length) this.#archive.isCut = true;
		if (type === 'L') records.set('path', text(content, 0, length));
		else if (type === 'K') records.set('linkpath', text(content, 0, length));
		else if (type === 'x') for (const [key, value] of paxRecords(content)) records.set(key, value);
		else if (type === 'g') this.#takeGlobal(paxRecords(content), headerAt);
		else {
			this.#archive.entries.push({
				...entryOf(block, type, new Map([...this.#global, ...records]), content),
				...{ start, headerAt, end: Math.min(this.#at, this.bytes.length) }
			});
			this.#archive.end = Math.min(this.#at, this.bytes.length);
			return null;
		}
		return { start, records };
	}

	/** A label in POSIX format is treated as an entry like GNU's. */
	#takeGlobal(records: Map<string, string>, headerAt: number): void {
		const label = records.get('GNU.volume.label');
		if (label !== undefined)
			this.#archive.entries.push({
				...{ name: label, type: 'V', mode: 0, userId: 0, groupId: 0, user: '', group: '', modifiedMs: 0, target: '' },
				...{ content: new Uint8Array(), listing: null, start: headerAt, headerAt, end: this.#at }
			});
		for (const [key, value] of records) if (!key.startsWith('GNU.')) this.#global.set(key, value);
	}
}

export const NO_ARCHIVE = 'This does not look like a tar archive';

function entryOf(block: Uint8Array, type: string, records: Map<string, string>, content: Uint8Array): Entry {
	const isPosix = text(block, 257, 6) === 'ustar';
	const prefix = isPosix && block[262] === 0 ? text(block, 345, 155) : '';
	const short = text(block, 0, 100);
	const name = records.get('path') ?? (prefix ? `${prefix}/${short}` : short);
	const hasNames = text(block, 257, 5) === 'ustar';
	const listed = records.get('GNU.dumpdir');
	const kind = type === '\0' || type === '7' ? '0' : type;
	const isDirectory = kind === '0' && name.endsWith('/');
	return {
		name,
		type: isDirectory ? '5' : listed === undefined ? kind : 'D',
		mode: numberAt(block, 100, 8) & 0o7777,
		userId: Number(records.get('uid') ?? numberAt(block, 108, 8)),
		groupId: Number(records.get('gid') ?? numberAt(block, 116, 8)),
		user: records.get('uname') ?? (hasNames ? text(block, 265, 32) : ''),
		group: records.get('gname') ?? (hasNames ? text(block, 297, 32) : ''),
		modifiedMs: records.has('mtime') ? Number(records.get('mtime')) * 1000 : numberAt(block, 136, 12) * 1000,
		target: records.get('linkpath') ?? text(block, 157, 100),
		content: kind === '0' ? content : new Uint8Array(),
		listing: kind === 'D' ? content : listed === undefined ? null : new TextEncoder().encode(listed)
	};
}
