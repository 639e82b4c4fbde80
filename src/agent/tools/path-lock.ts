import type { ExecutionEnvironment } from '#environment/contract.ts';

const locks = new WeakMap<ExecutionEnvironment, Map<string, Promise<unknown>>>();

/**
 * Runs work on a file while no other tool works on it: two simultaneous edits, e.g. by subagents, run one after the
 * other, and neither is lost.
 */
export async function withPathLock<T>(
	environment: ExecutionEnvironment,
	path: string,
	work: () => Promise<T>
): Promise<T> {
	let held = locks.get(environment);
	if (!held) locks.set(environment, (held = new Map()));
	const before = held.get(path) ?? Promise.resolve();
	const turn = before.then(work, work);
	held.set(path, turn);
	try {
		return await turn;
	} finally {
		if (held.get(path) === turn) held.delete(path);
	}
}

/** Does the same for several files. They are locked in a fixed order, so that two callers never wait for each other. */
export function withPathLocks<T>(
	environment: ExecutionEnvironment,
	paths: readonly string[],
	work: () => Promise<T>
): Promise<T> {
	const [first, ...rest] = [...new Set(paths)].sort();
	if (first === undefined) return work();
	return withPathLock(environment, first, () => withPathLocks(environment, rest, work));
}
