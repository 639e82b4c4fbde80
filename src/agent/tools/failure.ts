import type { ToolResult } from '../tool.ts';

/** Fields in the `details` of an error result for the loop's failure window. */
export interface OutcomeDetails {
	/** Present on a command's result. */
	exitCode?: number;
	/** Set if a guard or the user refused, or the user interrupted: the harness did not fail. */
	refused?: boolean;
	/** Set if the command was ended at its time limit. */
	timedOut?: boolean;
}

/**
 * Returns true if a result counts in the failure window. Denied permissions, interruptions by the user and
 * commands that exit non-zero do not: they are answers, not failures of the harness. A command that had to be
 * killed does (002 F-001).
 */
export function countsAsFailure(result: ToolResult): boolean {
	if (!result.isError) return false;
	const details: unknown = result.details;
	if (typeof details !== 'object' || details === null) return true;
	if ('refused' in details && details.refused === true) return false;
	if ('timedOut' in details && details.timedOut === true) return true;
	return !('exitCode' in details && typeof details.exitCode === 'number');
}
