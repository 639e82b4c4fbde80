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
	/** Contents in base64 by path, of the files that are no UTF-8. */
	binaries?: Record<string, string>;
	/** Whether the real program's answer makes a case; absent, each answer does. */
	isCase?(native: Answer): boolean;
	/** Names of the assertions that hold in an answer: each is compared by itself, and the real program's answer has all that count. */
	assertions?(answer: Answer): Set<string>;
	/** Environment of all cases; `root` stands for the suite's root. */
	env(root: string): Record<string, string>;
}

/** A foreign suite that the computer is held to. */
export interface Suite {
	name: string;
	title: string;
	/** Environment variable that names a folder with the suite; absent, {@link sourcePackage} is unpacked or {@link repository} cloned. */
	place: string;
	repository: string;
	/** Name of Debian's source package. */
	sourcePackage?: string;
	/** Limit of one case; absent, {@link CASE_LIMIT_MS}. */
	limitMs?: number;
	/** Reasons for differences that stay, by the names of the cases; the report counts them. */
	causes?: readonly (readonly [cases: RegExp, cause: string])[];
	/** Another program beside which the report sets the computer: how much of what holds natively holds there. */
	peer?: {
		title: string;
		answer(root: string, name: string, limitMs: number): Promise<Answer>;
	};
	load(folder: string): Promise<LoadedSuite>;
}

export interface Answer {
	stdout: string;
	status: number | null;
	/** Recorded with a difference, never compared. */
	stderr?: string;
}

/** Limit of one case. */
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
