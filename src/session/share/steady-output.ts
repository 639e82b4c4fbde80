/** Parts of output that vary between runs of the same command: durations, dates, times. */
const VARYING: readonly RegExp[] = [
	/\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/g,
	/\b\d{1,2}:\d{2}:\d{2}(?:\.\d+)?\b/g,
	/\bduration_ms[ :=]+[\d.]+/g,
	/\b\d+(?:\.\d+)?(?:e-?\d+)?\s?(?:ns|µs|us|ms|s|sec|secs|seconds?|min|minutes?)\b/g
];

/**
 * Removes the varying parts of a command's output, so that two runs can be compared.
 *
 * @param exitCode of the command: the tool's own line with the exit code at the end of the output is removed
 */
export function steadyOutput(printed: string, exitCode: number): string {
	const text = withoutExitCode(printed.replace(/\r\n/g, '\n'), exitCode);
	if (text === '(no output)') return '';
	return VARYING.reduce((steady, pattern) => steady.replace(pattern, '·'), text).trimEnd();
}

function withoutExitCode(text: string, exitCode: number): string {
	for (const line of [`[Exit code: ${exitCode}]`, `Command exited with code ${exitCode}`])
		if (text === line || text.endsWith(`\n${line}`)) return text.slice(0, -line.length);
	return text;
}
