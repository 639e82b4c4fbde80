import { paddingOf, paxRecord } from '#environment/archive/tar-format.ts';
import { BLOCK, tarHeader } from '#environment/archive/tar-header.ts';
import { concat, decode, encode } from '#computer/process/text.ts';
import type { Entry } from './entry.ts';
import type { Format } from './settings.ts';

/** The member cannot be stored in the requested format; the message is tar's, without the name. */
export class Unstorable extends Error {}

const NAME = 100;
const PREFIX = 155;
/** The largest time that fits into eleven octal digits. */
const MOST_SECONDS = 8 ** 11 - 1;

/** Pads a content to whole blocks. */
export function padded(bytes: Uint8Array): Uint8Array {
	return bytes.length % BLOCK === 0 ? bytes : concat([bytes, new Uint8Array(paddingOf(bytes.length))]);
}

/** Encodes the headers of a member, extended ones first; its content follows them. @throws Unstorable */
export function headersOf(entry: Entry, format: Format): Uint8Array {
	const name = encode(entry.name);
	const target = encode(entry.target);
	const isGnu = format === 'gnu' || format === 'oldgnu';
	if (format === 'v7' && name.length >= NAME) throw new Unstorable('file name is too long (max 99); not dumped');
	if (!isGnu && format !== 'posix' && target.length >= NAME + (format === 'v7' ? 0 : 1))
		throw new Unstorable(`link name is too long; not dumped`);
	const before: Uint8Array[] = [];
	if (isGnu)
		for (const [type, long] of [
			['K', target],
			['L', name]
		] as const)
			if (long.length > NAME || (long.length === NAME && format === 'oldgnu')) before.push(longName(type, long));
	const split = format === 'ustar' || format === 'posix' ? splitName(name) : null;
	if (format === 'ustar' && !split) throw new Unstorable(longReason(name));
	if (format === 'posix') before.push(...paxHeader(entry, name, target, split !== null));
	return concat([...before, block(entry, format, split)]);
}

const longReason = (name: Uint8Array): string =>
	name.length > NAME + PREFIX + 1
		? 'file name is too long (max 256); not dumped'
		: 'file name is too long (cannot be split); not dumped';

function longName(type: 'K' | 'L', bytes: Uint8Array): Uint8Array {
	const content = concat([bytes, new Uint8Array(1)]);
	const entry: Entry = { ...EMPTY, name: '././@LongLink', type, user: 'root', group: 'root' };
	return concat([block(entry, 'gnu', null, content.length), padded(content)]);
}

export const EMPTY: Entry = {
	...{ name: '', type: '0', mode: 0o644, userId: 0, groupId: 0, user: '', group: '', modifiedMs: 0, target: '' },
	...{ content: new Uint8Array(), listing: null }
};

/** Splits a long name at a slash so that it fits into prefix and name. */
function splitName(name: Uint8Array): { prefix: Uint8Array; name: Uint8Array } | null {
	if (name.length <= NAME) return { prefix: new Uint8Array(), name };
	if (name.length > NAME + PREFIX + 1) return null;
	for (let at = Math.min(PREFIX, name.length - 2); at > 0; at--) {
		if (name[at] === 47 && name.length - at - 1 <= NAME)
			return { prefix: name.subarray(0, at), name: name.subarray(at + 1) };
	}
	return null;
}

/** Encodes pax records as an extended header, for the next member or (`g`) for all. */
export function paxBlocks(records: readonly (readonly [string, string])[], type: 'x' | 'g', name: string): Uint8Array {
	const content = concat(records.map(([key, value]) => paxRecord(key, value)));
	const at = name.lastIndexOf('/');
	const place =
		type === 'g' ? '/tmp/GlobalHead.1.1' : `${at < 0 ? '.' : name.slice(0, at)}/PaxHeaders/${name.slice(at + 1)}`;
	const header = block({ ...EMPTY, name: place.slice(0, NAME - 1), type }, 'posix', null, content.length);
	return concat([header, padded(content)]);
}

function paxHeader(entry: Entry, name: Uint8Array, target: Uint8Array, isSplit: boolean): Uint8Array[] {
	const records: [string, string][] = [];
	if (!isSplit || name.some((byte) => byte > 0x7f)) records.push(['path', entry.name]);
	if (target.length > NAME) records.push(['linkpath', entry.target]);
	if (!Number.isInteger(entry.modifiedMs / 1000) || entry.modifiedMs < 0 || entry.modifiedMs / 1000 >= 8 ** 11)
		records.push(['mtime', seconds(entry.modifiedMs)]);
	if (entry.listing) records.push(['GNU.dumpdir', decode(entry.listing)]);
	return records.length ? [paxBlocks(records, 'x', entry.name)] : [];
}

/** Formats milliseconds as seconds with decimals, without an exponent. */
const seconds = (ms: number): string => {
	const size = Math.abs(Math.round(ms));
	const parts =
		size % 1000 === 0
			? ''
			: `.${String(size % 1000)
					.padStart(3, '0')
					.replace(/0+$/, '')}`;
	return `${ms < 0 ? '-' : ''}${BigInt(Math.floor(size / 1000))}${parts}`;
};

function block(
	entry: Entry,
	format: Format,
	split: { prefix: Uint8Array; name: Uint8Array } | null,
	size = entry.type === 'D' && format !== 'posix' ? (entry.listing?.length ?? 0) : entry.content.length
): Uint8Array {
	const isGnu = format === 'gnu' || format === 'oldgnu';
	const type = format === 'posix' && entry.type === 'D' ? '5' : entry.type;
	const seconds = Math.floor(entry.modifiedMs / 1000);
	return tarHeader({
		format: format === 'v7' ? 'v7' : isGnu ? 'gnu' : 'posix',
		name: split?.name ?? entry.name,
		...(split ? { prefix: split.prefix } : {}),
		target: entry.target,
		type: format === 'v7' && (type === '0' || type === '5') ? '\0' : type,
		size,
		// A record of the extended header has the time that does not fit.
		seconds: format === 'posix' ? Math.min(MOST_SECONDS, Math.max(0, seconds)) : seconds,
		...{ mode: entry.mode, userId: entry.userId, groupId: entry.groupId, user: entry.user, group: entry.group }
	});
}
