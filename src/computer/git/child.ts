import type { Invocation } from './invocation.ts';

/** Options for starting a child process of git. */
export interface ChildHow {
	cwd: string;
	env?: Record<string, string>;
	/** Redirects its output to stderr, as for hooks. */
	toStderr?: boolean;
	/** Uses `env` as the whole environment instead of adding it to git's own. */
	isWhole?: boolean;
	stdin?: 'null';
}

/** Runs a shell command line with additional arguments, on git's own streams. Returns the exit code. */
export function runChild(git: Invocation, line: string, args: readonly string[], how: ChildHow): number {
	git.flush();
	const { env } = git;
	const { sync } = git.context;
	const pid = sync.spawn({
		argv: ['sh', '-c', line, line, ...args],
		cwd: how.cwd,
		env: how.isWhole ? (how.env ?? {}) : { ...env, ...how.env },
		...(how.toStderr ? { stdout: 2 } : {}),
		...(how.stdin ? { stdin: how.stdin } : {})
	});
	return sync.waitPid(pid).code;
}
