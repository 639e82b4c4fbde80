import { sha1 } from '#environment/sha1.ts';
import { comparePaths, decode, encode, fromHex, toHex } from '../bytes.ts';
import { fatal } from '../errors.ts';
import { parseCacheTree, serializeCacheTree, type CacheTree } from './cache-tree.ts';

/** Entry of the index. */
export interface IndexEntry {
	path: string;
	mode: number;
	id: string;
	/** 0; or 1 (base), 2 (ours), 3 (theirs) while the path is in conflict. */
	stage: number;
	/** Size of the file when it last matched `id`. */
	size: number;
	modifiedMs: number;
	/** Added by `add -N`, without content yet. */
	intentToAdd: boolean;
	/** Treats the file as unchanged (`update-index --assume-unchanged`). */
	assumeUnchanged?: boolean;
	/** Treats the file as unchanged, even if it is missing (`update-index --skip-worktree`). */
	skipWorktree?: boolean;
}

/** Creates an entry without stat data, so that the next comparison reads the file. */
export const newEntry = (path: string, { mode, id }: Pick<IndexEntry, 'mode' | 'id'>, stage = 0): IndexEntry => ({
	path,
	mode,
	id,
	stage,
	size: 0,
	modifiedMs: 0,
	intentToAdd: false
});

const SIGNATURE = 0x44495243;
const FIXED = 62;
/** Flags and extended flags of an entry (https://git-scm.com/docs/index-format). */
const ASSUME_UNCHANGED = 0x8000;
const EXTENDED = 0x4000;
const SKIP_WORKTREE = 0x4000;
const INTENT_TO_ADD = 0x2000;
const isExtended = ({ intentToAdd, skipWorktree }: IndexEntry): boolean => intentToAdd || skipWorktree === true;

/** Parses `.git/index`, versions 2 and 3. @throws GitError for anything else */
export function parseIndex(bytes: Uint8Array): { entries: IndexEntry[]; cacheTree: CacheTree | null } {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (bytes.length < 32 || view.getUint32(0) !== SIGNATURE) throw fatal('index file corrupt');
	const version = view.getUint32(4);
	if (version !== 2 && version !== 3) throw fatal(`index uses version ${version}, which is not understood here`);
	const entries: IndexEntry[] = [];
	let at = 12;
	for (let left = view.getUint32(8); left > 0; left--) {
		if (at + FIXED > bytes.length) throw fatal('index file smaller than expected');
		const flags = view.getUint16(at + 60);
		const extended = (flags & EXTENDED) !== 0;
		const start = at + FIXED + (extended ? 2 : 0);
		const end = bytes.indexOf(0, start);
		entries.push({
			path: decode(bytes.subarray(start, end)),
			mode: view.getUint32(at + 24),
			id: toHex(bytes.subarray(at + 40, at + 60)),
			stage: (flags >> 12) & 3,
			size: view.getUint32(at + 36),
			modifiedMs: view.getUint32(at + 8) * 1000 + view.getUint32(at + 12) / 1e6,
			intentToAdd: extended && (view.getUint16(at + FIXED) & INTENT_TO_ADD) !== 0,
			...(flags & ASSUME_UNCHANGED ? { assumeUnchanged: true } : {}),
			...(extended && view.getUint16(at + FIXED) & SKIP_WORKTREE ? { skipWorktree: true } : {})
		});
		at += (end - at + 8) & ~7;
	}
	return { entries, cacheTree: findCacheTree(bytes, view, at) };
}

function findCacheTree(bytes: Uint8Array, view: DataView, from: number): CacheTree | null {
	for (let at = from; at + 8 <= bytes.length - 20; at += 8 + view.getUint32(at + 4)) {
		if (decode(bytes.subarray(at, at + 4)) !== 'TREE') continue;
		return parseCacheTree(bytes.subarray(at + 8, at + 8 + view.getUint32(at + 4)));
	}
	return null;
}

/** Sorts `entries` in place, as the format requires, and serializes them. */
export function serializeIndex(entries: IndexEntry[], cacheTree: CacheTree | null): Uint8Array {
	entries.sort((a, b) => comparePaths(a.path, b.path) || a.stage - b.stage);
	const names = entries.map((entry) => encode(entry.path));
	const sizes = entries.map((entry, i) => (FIXED + (isExtended(entry) ? 2 : 0) + names[i]!.length + 8) & ~7);
	const extension = cacheTree ? serializeCacheTree(cacheTree) : null;
	const length = 12 + sizes.reduce((sum, size) => sum + size, 0) + (extension ? 8 + extension.length : 0) + 20;
	const bytes = new Uint8Array(length);
	const view = new DataView(bytes.buffer);
	view.setUint32(0, SIGNATURE);
	view.setUint32(4, entries.some(isExtended) ? 3 : 2);
	view.setUint32(8, entries.length);
	let at = 12;
	entries.forEach((entry, i) => {
		writeEntry(bytes, view, at, entry, names[i]!);
		at += sizes[i]!;
	});
	if (extension) {
		bytes.set(encode('TREE'), at);
		view.setUint32(at + 4, extension.length);
		bytes.set(extension, at + 8);
	}
	bytes.set(sha1(bytes.subarray(0, length - 20)), length - 20);
	return bytes;
}

function writeEntry(bytes: Uint8Array, view: DataView, at: number, entry: IndexEntry, name: Uint8Array): void {
	const seconds = Math.floor(entry.modifiedMs / 1000);
	const nanoseconds = Math.round((entry.modifiedMs - seconds * 1000) * 1e6);
	// The volume has a single time per file, used for both.
	for (const offset of [0, 8]) {
		view.setUint32(at + offset, seconds);
		view.setUint32(at + offset + 4, nanoseconds);
	}
	view.setUint32(at + 24, entry.mode);
	view.setUint32(at + 36, entry.size);
	bytes.set(fromHex(entry.id), at + 40);
	const extended = isExtended(entry) ? EXTENDED : 0;
	const assumed = entry.assumeUnchanged ? ASSUME_UNCHANGED : 0;
	view.setUint16(at + 60, assumed | extended | (entry.stage << 12) | Math.min(name.length, 0xfff));
	const more = (entry.intentToAdd ? INTENT_TO_ADD : 0) | (entry.skipWorktree ? SKIP_WORKTREE : 0);
	if (extended) view.setUint16(at + FIXED, more);
	bytes.set(name, at + FIXED + (extended ? 2 : 0));
}
