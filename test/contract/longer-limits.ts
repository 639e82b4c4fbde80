import type { ExecResult, ExecutionEnvironment } from '#environment/contract.ts';

/**
 * Runs a command under increasing limits until it starts before its limit: on a busy machine, a command may not even
 * have printed its first line when a short limit expires.
 *
 * @returns the first result that shows it has started, or the last
 */
export async function untilBegun<Result>(
	limits: readonly number[],
	hasBegun: (result: Result) => boolean,
	run: (limit: number) => Promise<Result>
): Promise<{ result: Result; limit: number }> {
	const [limit = 0, ...longer] = limits;
	const result = await run(limit);
	return hasBegun(result) || longer.length === 0 ? { result, limit } : untilBegun(longer, hasBegun, run);
}

/** A command that prints at once and never ends, ended by its time limit. */
export async function execLimited(environment: ExecutionEnvironment, command: string): Promise<ExecResult> {
	const run = (timeoutMs: number) => environment.exec(command, { timeoutMs });
	return (await untilBegun([400, 2_000, 8_000, 20_000], ({ stdout }) => stdout !== '', run)).result;
}
