import type { SyncSyscalls } from '#computer/abi/client.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';

/** Bytes requested at once: one kernel call per file would take longer than the work on its content. */
const MOST_BYTES = 4 * 1024 * 1024;

export interface ContentLimits {
	/** Size of the first call; each later one transfers four times as much, up to 4 MB. */
	firstBytes?: number;
	/** Larger files are not transferred. At most 4 MB, which is also the default. */
	largestBytes?: number;
}

/**
 * Yields files with their contents, in order, using few calls. The content is undefined for anything that is not a
 * regular file (including links), for files larger than `largestBytes`, and for files that were removed or have grown
 * since `stat` was taken.
 */
export function* withContents<File extends { path: string; stat: WireStat }>(
	sync: SyncSyscalls,
	files: readonly File[],
	{ firstBytes = MOST_BYTES, largestBytes = MOST_BYTES }: ContentLimits = {}
): Generator<[file: File, content: Uint8Array | undefined]> {
	const isBrought = ({ stat }: File) => stat.kind === 'file' && stat.size <= largestBytes;
	for (let [from, most] = [0, firstBytes]; from < files.length; most = Math.min(MOST_BYTES, most * 4)) {
		let to = from;
		for (let bytes = 0; to < files.length && (to === from || bytes < most); to++) {
			const file = files[to]!;
			if (isBrought(file)) bytes += file.stat.size;
		}
		const batch = files.slice(from, to);
		const paths = batch.filter(isBrought).map(({ path }) => path);
		const contents = paths.length > 0 ? sync.readSmallFiles(paths, most + largestBytes) : {};
		for (const file of batch) yield [file, contents[file.path]];
		from = to;
	}
}
