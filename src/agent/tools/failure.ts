import type { ToolResult } from '../tool.ts';

/** What an error result says about itself in `details`, for the loop's failure window. */
export interface OutcomeDetails {
	/** Present on a command's result. */
	exitCode?: number;
	/** A guard or a person refused, or the person interrupted: nothing of the harness failed. */
	refused?: boolean;
	/** The command was ended at its time limit. */
	timedOut?: boolean;
}

/**
 * Whether a result counts in the failure window. A denied permission, a person's interruption and
 * a command that exits non-zero do not: they are answers, not failures of the harness. A command that
 * had to be ended does (002 F-001).
 */
export function countsAsFailure(result: ToolResult): boolean {
	if (!result.isError) return false;
	const details: unknown = result.details;
	if (typeof details !== 'object' || details === null) return true;
	if ('refused' in details && details.refused === true) return false;
	if ('timedOut' in details && details.timedOut === true) return true;
	return !('exitCode' in details && typeof details.exitCode === 'number');
}
