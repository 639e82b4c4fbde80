import { fileOf } from './inode.ts';
import { lookup } from './lookup.ts';
import type { Volume } from './volume.ts';

/**
 * Contents of `paths`, up to `maxBytes` in total. Links, missing paths and anything that is not a regular file are
 * skipped.
 */
export function readSmallFiles(volume: Volume, paths: string[], maxBytes: number): Record<string, Uint8Array> {
	const found = new Map<string, Uint8Array>();
	let total = 0;
	for (const path of paths) {
		const content = fileAt(volume, path)?.content;
		if (!content) continue;
		total += content.size;
		if (total > maxBytes) break;
		// The reply is encoded before anything else can happen to the file.
		found.set(path, content.peek());
	}
	return Object.fromEntries(found);
}

function fileAt(volume: Volume, path: string) {
	try {
		return fileOf(lookup(volume.root, path, false).link);
	} catch {
		// A parent directory was removed since the caller saw the path.
		return null;
	}
}
