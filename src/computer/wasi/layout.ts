import type { WireDirent, WireStat } from '#computer/abi/syscalls.ts';
import type { ModuleMemory } from './memory.ts';
import { FileType } from './types.ts';

const encoder = new TextEncoder();
const FILE_TYPES = {
	file: FileType.regular,
	directory: FileType.directory,
	symlink: FileType.symlink,
	fifo: FileType.unknown,
	socket: FileType.socket
};
const DIRENT_BYTES = 24;
const FILESTAT_BYTES = 64;

/** Encodes a `dirent` followed by its name. `next` is the cookie of the next entry. */
export function directoryEntry({ name, kind }: Pick<WireDirent, 'name' | 'kind'>, next: number): Uint8Array {
	const text = encoder.encode(name);
	const entry = new Uint8Array(DIRENT_BYTES + text.length);
	const view = new DataView(entry.buffer);
	view.setUint32(0, next, true);
	view.setUint32(16, text.length, true);
	view.setUint8(20, FILE_TYPES[kind]);
	entry.set(text, DIRENT_BYTES);
	return entry;
}

/** Writes the `filestat` of a file of the volume. */
export function putFileStat(memory: ModuleMemory, at: number, stat: WireStat): void {
	const [accessed, modified, changed] = [stat.accessedMs, stat.modifiedMs, stat.changedMs].map(
		(ms) => Math.round(ms) * 1e6
	);
	const fields = [1, stat.inode, FILE_TYPES[stat.kind], stat.links, stat.size, accessed!, modified!, changed!];
	const { view } = memory;
	for (const value of fields) {
		putLong(view, at, value);
		at += 8;
	}
}

/**
 * Writes the `filestat` of a stream. A terminal is a character device; any other type shows the program that it is
 * piped.
 */
export function putStreamStat(memory: ModuleMemory, at: number, isTerminal: boolean): void {
	memory.bytes(at, FILESTAT_BYTES).fill(0);
	memory.view.setUint8(at + 16, isTerminal ? FileType.character : FileType.unknown);
}

/** Writes 64 bits, as exact as a number is: BigInt is several times slower, and a search stats every file. */
function putLong(view: DataView, at: number, value: number): void {
	view.setUint32(at, value % 2 ** 32, true);
	view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
}
