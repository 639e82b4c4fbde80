/** One script that the computer and the real shell both run. */
export interface Case {
	/** Unique within the suite; what the list of failing cases holds. */
	name: string;
	/** What the report counts failures by. */
	group: string;
	/** Run by `bash -c` in an empty directory. */
	script: string;
	/** Added to the environment that all cases share. */
	env?: Record<string, string>;
}

export interface LoadedSuite {
	/** The suite's version, as the report shows it. */
	version: string;
	/** The real program's name and version. */
	native: string;
	cases: Case[];
	/** Contents by path below the suite's root, which is the same path on both sides. */
	files: Record<string, string>;
	/** Environment of all cases; `root` stands for the suite's root. */
	env(root: string): Record<string, string>;
}

/** A foreign suite that the computer is held to. */
export interface Suite {
	name: string;
	title: string;
	/** Environment variable that names a folder with the suite; absent, {@link repository} is cloned. */
	place: string;
	repository: string;
	load(folder: string): Promise<LoadedSuite>;
}

export interface Answer {
	stdout: string;
	status: number | null;
}

/** Limit of one case. */
export const CASE_LIMIT_MS = 10_000;
