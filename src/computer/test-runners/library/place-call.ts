const FRAME = /(?:file:\/\/)?(\/[^\s()]+):(\d+):(\d+)\)?$/;
const CALL = /toMatchInlineSnapshot|toThrowErrorMatchingInlineSnapshot/;

/**
 * Gives an error the stack in which vitest's snapshots find the call whose text they write: two frames of its own, then
 * the caller's. Stacks here begin with the caller, and their columns are those of the transformed program.
 */
export function placeCall(error: Error, read: (file: string) => string | null): Error {
	const frames = (error.stack ?? '').split('\n').flatMap((line) => FRAME.exec(line) ?? []);
	const [, file, line, column] = frames.length > 0 ? frames : [];
	if (file === undefined) return error;
	const written = read(file)?.split('\n')[Number(line) - 1]?.search(CALL) ?? -1;
	const own = `    at __INLINE_SNAPSHOT__ (${file}:1:1)\n    at matcher (${file}:1:1)`;
	error.stack = `Error: snapshot\n${own}\n    at test (${file}:${line}:${written < 0 ? column : written + 1})`;
	return error;
}
