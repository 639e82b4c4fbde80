import type { WireStat } from '#computer/abi/syscalls.ts';

/** A displayed name. */
export interface Entry {
	name: string;
	path: string;
	/** Undefined if stat failed. */
	stat?: WireStat;
	/** Kind from the directory listing, if stat failed. */
	kind?: WireStat['kind'];
	/** Target of a link. */
	target?: { name: string; stat: WireStat | null };
}
