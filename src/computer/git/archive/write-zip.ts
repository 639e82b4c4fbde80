import { deflateSync } from 'fflate';
import { crc32 } from '#environment/crc32.ts';
import { Mode } from '#environment/mode.ts';
import { concat, encode } from '../bytes.ts';
import { isDirectory } from '../objects/tree.ts';
import type { ArchiveEntry, ArchiveHead } from './archive-entry.ts';

const STORED = 0;
const DEFLATED = 8;
/** Flag for names in UTF-8. */
const IS_UTF8 = 0x800;
const MADE_BY_UNIX = 0x0317;
const IS_DIRECTORY = 16;
/** Number of members that no longer fits into 16 bits. */
const MOST_MEMBERS = 0xffff;

/** Writes an archive as specified by PKWARE's APPNOTE, with Info-ZIP timestamps. */
export function writeZip(entries: Iterable<ArchiveEntry>, head: ArchiveHead): Uint8Array {
	const parts: Uint8Array[] = [];
	const directory: Uint8Array[] = [];
	let offset = 0;
	for (const entry of entries) {
		const { local, central } = member(entry, head, offset);
		parts.push(local);
		directory.push(central);
		offset += local.length;
	}
	const table = concat(directory);
	return concat([...parts, table, endOf(directory.length, table.length, offset, head.commit ?? '')]);
}

function member(entry: ArchiveEntry, head: ArchiveHead, offset: number): { local: Uint8Array; central: Uint8Array } {
	const { path, mode, content, isBinary } = entry;
	const name = encode(path);
	const isLink = mode === Mode.symlink;
	const isTree = isDirectory(mode) || mode === Mode.commit;
	const isUnix = isLink || (!isTree && (mode & 0o111) !== 0);
	const level = (head.level ?? 6) as 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
	const plain = isTree ? new Uint8Array(0) : content;
	const packed = isLink || level === 0 || plain.length === 0 ? plain : deflateSync(plain, { level });
	const isDeflated = packed.length < plain.length;
	const data = isDeflated ? packed : plain;
	const time = concat([numbers(2, 0x5455, 5), Uint8Array.of(1), numbers(4, head.seconds >>> 0)]);
	const common = concat([
		numbers(
			2,
			10,
			name.some((byte) => byte > 127) ? IS_UTF8 : 0,
			isDeflated ? DEFLATED : STORED,
			...dosTime(head.seconds)
		),
		numbers(4, crc32(plain), data.length, plain.length),
		numbers(2, name.length, time.length)
	]);
	const outside = isLink ? ((mode | 0o777) << 16) >>> 0 : isUnix ? (mode << 16) >>> 0 : isTree ? IS_DIRECTORY : 0;
	const local = concat([numbers(4, 0x04034b50), common, name, time, data]);
	const central = concat([
		numbers(4, 0x02014b50),
		numbers(2, isUnix ? MADE_BY_UNIX : 0),
		common,
		numbers(2, 0, 0, isTree || isBinary ? 0 : 1),
		numbers(4, outside, offset),
		name,
		time
	]);
	return { local, central };
}

/** DOS time and date, with a resolution of two seconds, starting in 1980. */
function dosTime(seconds: number): [number, number] {
	const at = new Date(seconds * 1000);
	return [
		(at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1),
		((Math.max(1980, at.getFullYear()) - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate()
	];
}

function endOf(count: number, tableBytes: number, offset: number, comment: string): Uint8Array {
	const large =
		count <= MOST_MEMBERS
			? new Uint8Array(0)
			: concat([
					numbers(4, 0x06064b50),
					numbers(4, 44, 0),
					numbers(2, 45, 45),
					numbers(4, 0, 0, count, 0, count, 0, tableBytes, 0, offset, 0),
					numbers(4, 0x07064b50, 0, offset + tableBytes, 0, 1)
				]);
	const shown = Math.min(count, MOST_MEMBERS);
	return concat([
		large,
		numbers(4, 0x06054b50),
		numbers(2, 0, 0, shown, shown),
		numbers(4, tableBytes, offset),
		numbers(2, comment.length),
		encode(comment)
	]);
}

/** Encodes little-endian numbers of the given size. */
function numbers(bytes: 2 | 4, ...values: number[]): Uint8Array {
	const view = new DataView(new ArrayBuffer(bytes * values.length));
	values.forEach((value, i) => {
		if (bytes === 2) view.setUint16(i * 2, value, true);
		else view.setUint32(i * 4, value, true);
	});
	return new Uint8Array(view.buffer);
}
