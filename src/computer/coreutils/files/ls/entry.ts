import type { WireStat } from '#computer/abi/syscalls.ts';

/** A name that is shown. */
export interface Entry {
	name: string;
	path: string;
	/** Absent: it could not be looked at. */
	stat?: WireStat;
	/** Kind by its directory, if it could not be looked at. */
	kind?: WireStat['kind'];
	/** Target of a link. */
	target?: { name: string; stat: WireStat | null };
}
