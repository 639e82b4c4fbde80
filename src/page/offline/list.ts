/** What the build tells the offline worker about itself. */
export interface OfflineList {
	/** Names the build; the page carries the same in `<meta name="build">`. */
	build: string;
	/** The sandbox frame's own build, for its address. */
	runner: string;
	/** Addresses that every visit needs: kept when the worker is installed. */
	core: string[];
	/** Large programs such as Python: kept afterwards, one after another. */
	large: string[];
}

/** What the page asks of the worker, with a port for the answer. */
export type OfflineRequest = 'which' | 'fill';

/** Answer to `which`. */
export type OfflineIdentity = Pick<OfflineList, 'build' | 'runner'>;

/** Answers to `fill`: how many of the large files are kept, at each step. It ends with `failed`, or with all of them. */
export interface OfflineProgress {
	kept: number;
	all: number;
	failed: boolean;
}
