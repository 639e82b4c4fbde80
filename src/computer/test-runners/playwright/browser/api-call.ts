/** Frames of a stack that are files of the project. */
export const PROJECT_FRAME = /\(?((?:file:\/\/)?\/[^\s()]+?):(\d+):(\d+)\)?$/;

/** Errors whose stack already points to the test's call. */
const placed = new WeakSet<Error>();

/** Runs an action requested by a test; errors point to the line of the test, not to this runner. */
export async function apiCall<Value>(work: () => Promise<Value>): Promise<Value> {
	const trace = new Error('called here');
	try {
		return await work();
	} catch (error) {
		throw placeError(error, trace);
	}
}

/** Gives an error the frames of another one. */
export function placeError(error: unknown, trace: Error): unknown {
	if (!(error instanceof Error) || placed.has(error)) return error;
	placed.add(error);
	const frames = (trace.stack ?? '').split('\n').slice(1);
	error.stack = `${error.name}: ${error.message}\n${frames.join('\n')}`;
	return error;
}
