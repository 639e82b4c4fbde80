import type { Link } from '@jsonjoy.com/fs-core';
import { readTar } from '#environment/archive/tar-format.ts';
import { isWithin, normalize } from '#computer/abi/paths.ts';
import { ZONE_DIRECTORY } from '#computer/abi/time-zones.ts';
import { isDirectory } from './inode.ts';
import { lookup } from './lookup.ts';
import type { Volume } from './volume.ts';

/** Calls that also read everything below their path. */
const WHOLE_TREE = new Set(['walk', 'copy']);

/**
 * Returns whether a call names a time zone or reads a tree that contains them. Paths through symbolic links are not
 * followed.
 */
export function reachesZones(name: string, args: readonly unknown[]): boolean {
	const isTree = WHOLE_TREE.has(name);
	return args.some((path) => {
		if (typeof path !== 'string') return false;
		if (path.includes('zoneinfo')) return isWithin(normalize(path), ZONE_DIRECTORY);
		return isTree && isWithin(ZONE_DIRECTORY, normalize(path));
	});
}

/** Returns whether the time zones have not been added to the volume yet. */
export const lacksZones = (volume: Volume): boolean => zoneDirectory(volume)?.length === 0;

/**
 * Adds the time zones to the volume. No program can have seen their directory empty, so this does not count as a
 * change.
 *
 * @param archive tar archive, parents before their entries
 */
export function fillZones(volume: Volume, archive: Uint8Array): void {
	const top = zoneDirectory(volume);
	if (!top || top.length > 0) return;
	const { store } = volume;
	const directories = new Map<string, Link>([['', top]]);
	for (const { name, kind, target, bytes } of readTar(archive)) {
		const path = name.replace(/\/$/, '');
		const slash = path.lastIndexOf('/');
		const parent = directories.get(path.slice(0, Math.max(0, slash))) ?? top;
		const own = path.slice(slash + 1);
		if (kind === 'directory') directories.set(path, store.createDirectory(parent, own));
		else if (kind === 'symlink') store.createSymlink(parent, own, target);
		else store.createFile(parent, own, bytes);
	}
}

function zoneDirectory(volume: Volume): Link | undefined {
	const { link } = lookup(volume.root, ZONE_DIRECTORY, false);
	return isDirectory(link) ? link : undefined;
}
