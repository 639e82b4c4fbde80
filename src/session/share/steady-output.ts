/** What differs from one run of the same command to the next, though nothing else does: durations, dates, clocks. */
const VARYING: readonly RegExp[] = [
	/\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/g,
	/\b\d{1,2}:\d{2}:\d{2}(?:\.\d+)?\b/g,
	/\bduration_ms[ :=]+[\d.]+/g,
	/\b\d+(?:\.\d+)?(?:e-?\d+)?\s?(?:ns|µs|us|ms|s|sec|secs|seconds?|min|minutes?)\b/g
];

/**
 * What a command printed, without what is different each time, so that two runs can be compared.
 *
 * @param printed with the line that the agent is told the exit code by, or without it
 */
export function steadyOutput(printed: string): string {
	const text = printed.replace(/\r\n/g, '\n').replace(/\n?\[Exit code: \d+\]$/, '');
	if (text === '(no output)') return '';
	return VARYING.reduce((steady, pattern) => steady.replace(pattern, '·'), text).replace(/\s+$/, '');
}
