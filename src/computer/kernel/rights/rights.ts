import type { Rights } from '#environment/contract.ts';
import { dirname, isWithin } from '#computer/abi/paths.ts';
import { errno } from '#computer/abi/errno.ts';
import { isDirectory } from '#computer/volume/inode.ts';
import { lookup } from '#computer/volume/lookup.ts';
import { realTarget } from '#computer/volume/tree.ts';
import type { Volume } from '#computer/volume/volume.ts';

/**
 * Refuses a change that `rights` do not cover, resolving links and considering other names of the same file.
 *
 * @param follow whether the call follows a symbolic link in the last part of `path`
 * @throws EACCES
 */
export function checkWrite(rights: Rights, volume: Volume, path: string, follow: boolean): void {
	if (rights.write === 'all' || path === '/dev/null') return;
	for (const affected of affectedPaths(volume, path, follow)) {
		if (!rights.write.some((granted) => isWithin(affected, granted)))
			throw errno('EACCES', path, `${path}: this command has no right to change it`);
	}
}

/** Returns whether `host`, with its port if the address has one, may be reached. */
export function mayReach(rights: Rights, host: string): boolean {
	return rights.network === 'all' || rights.network.includes(host.toLowerCase());
}

/** Host of an address, with its port if specified; the input itself if it is not an address. */
export function hostOf(url: string): string {
	return URL.canParse(url) ? new URL(url).host : url;
}

/** Real paths that a change of `path` affects: the first one it would create, or all names of the existing file. */
function affectedPaths(volume: Volume, path: string, follow: boolean): string[] {
	let real = realTarget(volume, path, follow);
	let parent = dirname(real);
	// If parents are missing, the highest of them is what is created.
	while (parent !== '/' && !exists(volume, parent)) {
		real = parent;
		parent = dirname(real);
	}
	const { link } = lookup(volume.root, real, false);
	const names = link ? [...volume.store.namesOf(link.getNode())].map((name) => name.getPath()) : [];
	return names.length > 0 ? names : [real];
}

export function isDirectoryAt(volume: Volume, path: string): boolean {
	try {
		return isDirectory(lookup(volume.root, path, true).link);
	} catch {
		return false;
	}
}

function exists(volume: Volume, path: string): boolean {
	try {
		return lookup(volume.root, path, false).link !== undefined;
	} catch {
		return false;
	}
}
