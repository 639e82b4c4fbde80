import { TimeSlice } from './time-slice.ts';

/** Folders above a relative path, nearest first. */
export function foldersAbove(path: string): string[] {
	const above: string[] = [];
	for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) above.push(path.slice(0, end));
	return above;
}

/**
 * Collects every folder that contains one of a tree's paths: the tree itself lists only empty ones. Works in time
 * slices, since there may be very many.
 */
export async function foldersOf(paths: Iterable<string>): Promise<ReadonlySet<string>> {
	const folders = new Set<string>();
	const slice = new TimeSlice();
	for (const path of paths) {
		if (slice.isExpired()) await slice.yieldThread();
		for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
			const folder = path.slice(0, end);
			// Folders above it have been added with it.
			if (folders.has(folder)) break;
			folders.add(folder);
		}
	}
	return folders;
}

/**
 * Converts a path of a tree to one that file methods accept: for them a leading `~` means home, in a tree it is an
 * ordinary name.
 */
export function belowWorkingDirectory(path: string): string {
	return path === '~' || path.startsWith('~/') ? `./${path}` : path;
}
