/** Build data for the offline worker. */
export interface OfflineList {
	/** Id of the build; the page has the same one in `<meta name="build">`. */
	build: string;
	/** Build id of the sandbox frame, for its URL. */
	runner: string;
	/** URLs that every visit needs: cached when the worker is installed. */
	core: string[];
	/** Large programs such as Python: cached afterwards, one after another. */
	large: string[];
}

/** Requests from the page to the worker, with a port for the answer. */
export type OfflineRequest = 'which' | 'fill';

/** Answer to `which`. */
export type OfflineIdentity = Pick<OfflineList, 'build' | 'runner'>;

/**
 * Answers to `fill`: the number of cached large files at each step. The last one has `failed` set, or counts all of
 * them.
 */
export interface OfflineProgress {
	kept: number;
	all: number;
	failed: boolean;
}
