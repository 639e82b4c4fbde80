/** What came of running one command of a share again. */
export interface Verified {
	callId: string;
	command: string;
	/** `null` where there was nothing to compare. */
	files: { before: boolean; after: boolean | null };
	output: boolean;
	/** As it was told, and as it is here. */
	exitCode: { told: number; here: number };
	/** What it printed here, where that differs. */
	printed?: string;
}

/** Whether all of it is as the share says. */
export function isMatch({ files, output, exitCode }: Verified): boolean {
	return files.before && files.after !== false && output && exitCode.told === exitCode.here;
}
