import type { WireStat } from '#computer/abi/syscalls.ts';

/** One entry that a walk of `find` comes to. */
export interface Visited {
	/** As it is shown: the starting point and the way from there. */
	shown: string;
	path: string;
	/** Below the starting point, '' for itself. */
	relative: string;
	start: string;
	name: string;
	depth: number;
	stat: WireStat;
}
