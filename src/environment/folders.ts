import { TimeSlice } from './time-slice.ts';

/** The folders above a relative path, the nearest first. */
export function foldersAbove(path: string): string[] {
	const above: string[] = [];
	for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) above.push(path.slice(0, end));
	return above;
}

/**
 * Every folder that has one of a tree's paths in it: the tree itself names only empty ones. In stretches, since there
 * may be very many.
 */
export async function foldersOf(paths: Iterable<string>): Promise<ReadonlySet<string>> {
	const folders = new Set<string>();
	const slice = new TimeSlice();
	for (const path of paths) {
		if (slice.isExpired()) await slice.yieldThread();
		for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
			const folder = path.slice(0, end);
			// And with it those above it.
			if (folders.has(folder)) break;
			folders.add(folder);
		}
	}
	return folders;
}

/** A path of a tree as file methods take it: a first name `~` means the home there, and is an ordinary name in a tree. */
export function belowWorkingDirectory(path: string): string {
	return path === '~' || path.startsWith('~/') ? `./${path}` : path;
}
