/** A script run by both the computer and the real shell. */
export interface Case {
	/** Unique within the suite; used in the list of failing cases. */
	name: string;
	/** Category by which the report counts failures. */
	group: string;
	/** Run by `bash -c` in an empty directory. */
	script: string;
	/** Added to the environment shared by all cases. */
	env?: Record<string, string>;
}

export interface LoadedSuite {
	/** The suite's version, for the report. */
	version: string;
	/** The real program's name and version. */
	native: string;
	cases: Case[];
	/** Contents by path below the suite's root, which has the same path on both sides. */
	files: Record<string, string>;
	/** Contents in base64 by path, for files that are not UTF-8. */
	binaries?: Record<string, string>;
	/** Tells from the real program's answer whether a case counts; absent: every case counts. */
	isCase?(native: Answer): boolean;
	/**
	 * Names of the assertions that pass in an answer: each is compared separately, and only those of the real program's
	 * answer count.
	 */
	assertions?(answer: Answer): Set<string>;
	/** Environment of all cases; `root` is the path of the suite's root. */
	env(root: string): Record<string, string>;
}

/** A third-party suite that the computer is tested with. */
export interface Suite {
	name: string;
	title: string;
	/**
	 * Environment variable with the folder of the suite; if it is not set, {@link sourcePackage} is unpacked or
	 * {@link repository} cloned.
	 */
	place: string;
	repository: string;
	/** Name of Debian's source package. */
	sourcePackage?: string;
	/** Time limit of one case; absent: {@link CASE_LIMIT_MS}. */
	limitMs?: number;
	/** Reasons for permanent differences, by the names of the cases; the report counts them. */
	causes?: readonly (readonly [cases: RegExp, cause: string])[];
	/** Another program that the report compares with: how much of what passes natively passes there. */
	peer?: {
		title: string;
		answer(root: string, name: string, limitMs: number): Promise<Answer>;
	};
	load(folder: string): Promise<LoadedSuite>;
}

export interface Answer {
	stdout: string;
	status: number | null;
	/** Recorded if there is a difference, never compared. */
	stderr?: string;
}

/** Time limit of one case. */
export const CASE_LIMIT_MS = 10_000;

/** Shared files of a suite as text or bytes, by path below its root. */
export function contentsOf(
	suite: Pick<LoadedSuite, 'files' | 'binaries'>
): [name: string, content: string | Uint8Array<ArrayBuffer>][] {
	return [
		...Object.entries({ ...suite.files, 'home/.profile': '' }),
		...Object.entries(suite.binaries ?? {}).map(([name, text]): [string, Uint8Array<ArrayBuffer>] => [
			name,
			Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
		])
	];
}
