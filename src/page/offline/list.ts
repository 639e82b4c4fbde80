/** Data of the build for the offline worker. */
export interface OfflineList {
	/** Names the build; the page carries the same in `<meta name="build">`. */
	build: string;
	/** The sandbox frame's own build, for its address. */
	runner: string;
	/** Addresses that every visit needs: cached when the worker is installed. */
	core: string[];
	/** Large programs such as Python: cached afterwards, one after another. */
	large: string[];
}

/** Requests of the page to the worker, with a port for the answer. */
export type OfflineRequest = 'which' | 'fill';

/** Answer to `which`. */
export type OfflineIdentity = Pick<OfflineList, 'build' | 'runner'>;

/**
 * Answers to `fill`: the number of cached large files, at each step. Ends with `failed`, or with all of them.
 */
export interface OfflineProgress {
	kept: number;
	all: number;
	failed: boolean;
}
