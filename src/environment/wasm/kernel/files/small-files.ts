import type { Volume } from './volume.ts';

/** The contents of a directory's files by name, those over `maxFileBytes` left out, stopping at `maxBytes` together. */
export function readSmallFiles(
	volume: Volume,
	directory: string,
	maxFileBytes: number,
	maxBytes: number
): Record<string, Uint8Array> {
	const found = new Map<string, Uint8Array>();
	let total = 0;
	for (const { name, kind } of volume.readdir(directory)) {
		if (kind !== 'file') continue;
		const path = `${directory === '/' ? '' : directory}/${name}`;
		const { size } = volume.stat(path);
		if (size > maxFileBytes) continue;
		total += size;
		if (total > maxBytes) break;
		found.set(name, volume.readFile(path));
	}
	return Object.fromEntries(found);
}
