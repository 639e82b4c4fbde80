import type { MachineChange } from '#agent/events.ts';

/**
 * Why a command could not be verified. Before the run: the conversation shows another command, output or exit code than
 * the receipt; the conversation does not show the step's call, uses its id twice or has it at another position; the
 * step belongs to another session or chain; its files are not included. After the run: its outcome differs.
 */
export type Problem =
	| 'altered_command'
	| 'altered_output'
	| 'altered_exit_code'
	| 'not_shown'
	| 'ambiguous'
	| 'out_of_order'
	| 'other_chain'
	| 'no_files'
	| 'files_before'
	| 'files_after'
	| 'output'
	| 'exit_code';

/**
 * Reason why a verification is incomplete: information is missing in the receipt, or a command that ran on a machine
 * has another result here, where that machine's programs may be missing.
 */
export type Gap = 'no_receipt' | 'older_kind' | 'no_files_after' | 'other_machine';

/** Result of comparing one command of a share with the conversation and with a new run. */
export interface Verified {
	callId: string;
	/** Text displayed in the conversation. */
	command: string;
	problems: Problem[];
	gaps: Gap[];
	/** Kind of machine it ran on, according to the conversation; absent for the tab. */
	machine?: MachineChange['kind'];
	/** Exit code of the receipt and of the new run; absent if it was not run. */
	exitCode?: { recorded: number; here: number };
	/** Output of the new run, if it differs. */
	printed?: string;
}

/**
 * `partial`: no contradiction, but the receipt is incomplete. `elsewhere`: the result differs from the one on its
 * machine.
 */
export type Verdict = 'match' | 'partial' | 'differs' | 'none' | 'elsewhere';

/** Returns true if the command could be verified here. */
export const isJudged = (verdict: Verdict): boolean => verdict !== 'none' && verdict !== 'elsewhere';

export function verdictOf({ problems, gaps }: Pick<Verified, 'problems' | 'gaps'>): Verdict {
	if (problems.length > 0) return 'differs';
	if (gaps.includes('no_receipt')) return 'none';
	if (gaps.includes('other_machine')) return 'elsewhere';
	return gaps.length > 0 ? 'partial' : 'match';
}
