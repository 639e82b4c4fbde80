import type { SyncSyscalls } from '#computer/abi/client.ts';

/**
 * Returns the path of a member in the directory an archive is unpacked to, and creates its parents.
 *
 * @param parts parts of the member's name, without `..`
 * @throws Error if a link on the way, which the archive may have created itself, leads out of that directory
 */
export function placeOf(sync: SyncSyscalls, base: string, parts: readonly string[]): string {
	const root = sync.realpath(base);
	let directory = base;
	for (const name of parts.slice(0, -1)) {
		directory = `${directory}/${name}`;
		if (!sync.statOrNull(directory)) sync.mkdir(directory);
		const real = sync.realpath(directory);
		if (real !== root && !real.startsWith(`${root}/`)) throw new Error('a link on the way leads out of the directory');
	}
	return `${directory}/${parts.at(-1) ?? ''}`;
}
