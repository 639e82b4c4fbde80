/** Result of a tool that judges a tree, independent of its output format. */
export interface Findings {
	exitCode: number;
	passed: number | null;
	failed: number | null;
	/** Lint problems and type errors, sorted. */
	problems: string[];
	/** Hashes of built files, as sha256sum prints them, sorted. */
	built: string[];
}

/** Patterns for the number of passed tests in the output of tape, node:test, mocha, vitest, pytest and unittest. */
const PASSED = [
	/^# pass\s+(\d+)/m,
	/^ℹ pass (\d+)/m,
	/^\s*(\d+) passing/m,
	/^\s*Tests\s.*?(\d+) passed/m,
	/(\d+) passed.* in [\d.]+s/m
];
const FAILED = [
	/^# fail\s+(\d+)/m,
	/^ℹ fail (\d+)/m,
	/^\s*(\d+) failing/m,
	/^\s*Tests\s.*?(\d+) failed/m,
	/(\d+) failed.* in [\d.]+s/m,
	/^FAILED \(failures=(\d+)/m
];
const RAN = /^Ran (\d+) tests? in/m;
const TYPE_ERROR = /^\S+\(\d+,\d+\): error TS\d+/gm;
const BUILT_FILE = /^[\da-f]{64} [ *]\S+$/gm;
const LINT_PROBLEM = /^\s+\d+:\d+\s+(?:error|warning)\s+.*$/gm;

/** Extracts the findings from the output of a command. */
export function findingsOf(output: string, exitCode: number): Findings {
	const text = output.replace(/\u001b\[[\d;]*m/g, '');
	const failed = firstCount(FAILED, text);
	const ran = RAN.exec(text)?.[1];
	return {
		exitCode,
		passed: ran === undefined ? firstCount(PASSED, text) : Number(ran) - (failed ?? 0),
		failed: failed ?? 0,
		problems: [...(text.match(TYPE_ERROR) ?? []), ...(text.match(LINT_PROBLEM) ?? [])]
			.map((line) => line.trim().replace(/\s+/g, ' '))
			.sort(),
		built: (text.match(BUILT_FILE) ?? []).toSorted()
	};
}

function firstCount(patterns: readonly RegExp[], text: string): number | null {
	for (const pattern of patterns) {
		const count = pattern.exec(text)?.[1];
		if (count !== undefined) return Number(count);
	}
	return null;
}
