import type { WireStat } from '#computer/abi/syscalls.ts';

/** Entry to show. */
export interface Entry {
	name: string;
	path: string;
	/** Absent if stat failed. */
	stat?: WireStat;
	/** Kind from its directory, if stat failed. */
	kind?: WireStat['kind'];
	/** Target of a link. */
	target?: { name: string; stat: WireStat | null };
}
