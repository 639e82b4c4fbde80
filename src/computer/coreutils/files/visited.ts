import type { WireStat } from '#computer/abi/syscalls.ts';

/** One entry in a walk of `find`. */
export interface Visited {
	/** Displayed path: the starting point and the path below it. */
	shown: string;
	path: string;
	/** Path below the starting point; empty for the starting point itself. */
	relative: string;
	start: string;
	name: string;
	depth: number;
	stat: WireStat;
}
