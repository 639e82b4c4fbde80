import { numberAt, paddingOf, paxRecords } from '#environment/archive/tar-format.ts';
import { BLOCK } from '#environment/archive/tar-header.ts';
import { concat, encode } from '#computer/process/text.ts';
import type { Entry } from './entry.ts';
import { EMPTY, headersOf, paxBlocks } from './headers.ts';
import type { Run } from './run.ts';
import { sizeOf } from './settings.ts';

/** Concatenated volumes of one archive. */
export interface Volumes {
	bytes: Uint8Array;
	/** Omitted bytes of headers between volumes, each before its position in {@link bytes}. */
	gaps: { at: number; size: number }[];
}

/** Concatenates volumes: headers that repeat a label or continue a member are omitted. */
export function joinVolumes(parts: readonly Uint8Array[]): Volumes {
	const [first = new Uint8Array(), ...others] = parts;
	const pieces = [first];
	const gaps: Volumes['gaps'] = [];
	let at = first.length;
	for (const part of others) {
		const size = headerSize(part);
		gaps.push({ at, size });
		pieces.push(part.subarray(size));
		at += part.length - size;
	}
	return { bytes: concat(pieces), gaps };
}

/** Size of a volume's headers before its contents: its label, and the continuation of a member. */
function headerSize(part: Uint8Array): number {
	for (let at = 0; ;) {
		const type = String.fromCharCode(part[at + 156] ?? 0);
		if (type === 'V') at += BLOCK;
		else if (type === 'M') return at + BLOCK;
		else if (type === 'g') {
			const size = numberAt(part, at + 124, 12);
			const records = paxRecords(part.subarray(at + BLOCK, at + BLOCK + size));
			if (![...records.keys()].some((key) => key.startsWith('GNU.volume.'))) return at;
			at += BLOCK + size + paddingOf(size);
		} else return at;
	}
}

/** Part of an archive to write: the headers of a member, or its content in whole blocks. */
export interface ArchivePiece {
	bytes: Uint8Array;
	entry: Entry;
	isContent: boolean;
}

/** Splits an archive into volumes of the size of `-L`, each with a header for the member that continues in it. */
export function cutIntoVolumes(run: Run, pieces: readonly ArchivePiece[], label: string | null): Uint8Array[] {
	const length = sizeOf(run.options.get('L') ?? '0', 1024, 'tape length');
	const most = Math.max(run.recordBytes, Math.floor(length / run.recordBytes) * run.recordBytes);
	const volumes: Uint8Array[][] = [[]];
	let room = most;
	/** Member that continues in a new volume, and its remaining size. */
	let current = EMPTY;
	let left = 0;
	const put = (bytes: Uint8Array) => {
		volumes.at(-1)!.push(bytes);
		room -= bytes.length;
	};
	const write = (bytes: Uint8Array, isContent: boolean) => {
		for (let at = 0; at < bytes.length;) {
			if (room <= 0) {
				volumes.push([]);
				room = most;
				if (label !== null) put(labelBlocks(run, `${label} Volume ${volumes.length}`));
				put(continuation(run, current, left));
			}
			const part = bytes.subarray(at, at + room);
			put(part);
			at += part.length;
			if (isContent) left = Math.max(0, left - part.length);
		}
	};
	for (const { bytes, entry, isContent } of pieces) {
		write(bytes, isContent);
		if (!isContent) [current, left] = [entry, entry.content.length];
	}
	for (let zeros = 0; zeros < 2; zeros++) write(new Uint8Array(BLOCK), false);
	put(new Uint8Array(room % run.recordBytes));
	return volumes.map((volume) => concat(volume));
}

/** Encodes the label of an archive or a volume. */
export function labelBlocks(run: Run, label: string): Uint8Array {
	if (run.format === 'posix') return paxBlocks([['GNU.volume.label', label]], 'g', label);
	return headersOf({ ...EMPTY, name: label, type: 'V', mode: 0, modifiedMs: Date.now() }, 'gnu');
}

/** Encodes the header for a member that continues from the previous volume. */
function continuation(run: Run, entry: Entry, left: number): Uint8Array {
	const offset = entry.content.length - left;
	if (run.format === 'posix') {
		const records = [
			['GNU.volume.filename', entry.name],
			['GNU.volume.size', String(left)],
			['GNU.volume.offset', String(offset)]
		] as const;
		return paxBlocks(records, 'g', entry.name);
	}
	const whole: Entry = { ...entry, type: 'M', target: '', content: new Uint8Array(left) };
	const block = headersOf(whole, 'gnu').slice(-BLOCK);
	const octal = (value: number) => encode(`${value.toString(8).padStart(11, '0')}\0`);
	block.set(octal(offset), 369);
	block.set(octal(entry.content.length), 483);
	block.set(encode('        '), 148);
	const sum = block.reduce((total, byte) => total + byte, 0);
	block.set(encode(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
	return block;
}
