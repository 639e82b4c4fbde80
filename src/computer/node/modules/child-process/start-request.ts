/** Runs a request synchronously; called by `process.binding('spawn_sync')`. */
export const RUN = Symbol('run');

/**
 * Request to start a child, as passed to `ChildProcess.prototype.spawn` and `process.binding('spawn_sync').spawn`.
 * Tools that follow children replace these two, and change the environment.
 */
export interface StartRequest {
	file: string;
	args: string[];
	cwd: string;
	/** `NAME=value` strings. */
	envPairs: string[];
	detached: boolean;
	[RUN]?: (request: StartRequest) => unknown;
}

export function startRequest(
	args: string[],
	{ cwd, env }: { cwd: string; env: Record<string, string> },
	detached = false
): StartRequest {
	const envPairs = Object.entries(env).map(([name, value]) => `${name}=${value}`);
	return { file: args[0] ?? '', args, cwd, envPairs, detached };
}

/** Directory and environment of a request. */
export function placeIn({ cwd, envPairs }: StartRequest): { cwd: string; env: Record<string, string> } {
	const split = envPairs.map((pair): [string, string] => {
		const at = pair.indexOf('=', 1);
		return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
	});
	return { cwd, env: Object.fromEntries(split) };
}
