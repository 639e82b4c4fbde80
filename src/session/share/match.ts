import type { MachineChange } from '#agent/events.ts';

/**
 * Why a command could not be verified. Before the run: the conversation shows another command, output or exit
 * code than the receipt; the step belongs to a call that the conversation does not show, whose id is used
 * twice, that is at another position, or to another session or chain of steps; its files are not included.
 * After the run: its outcome differs.
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
 * Reason why there is less to verify: information missing in a receipt, or a command of a machine that has another
 * result where it is verified, which need not have that machine's programs.
 */
export type Gap = 'no_receipt' | 'older_kind' | 'no_files_after' | 'other_machine';

/** Result of comparing one command of a share with the conversation and with a new run. */
export interface Verified {
	callId: string;
	/** Text displayed in the conversation. */
	command: string;
	problems: Problem[];
	gaps: Gap[];
	/** The kind of machine it ran on, by the conversation; absent for the tab. */
	machine?: MachineChange['kind'];
	/** Exit code of the receipt and of the new run; absent if it was not run. */
	exitCode?: { recorded: number; here: number };
	/** Output of the new run, if it differs. */
	printed?: string;
}

/** `partial`: no contradiction, but the receipt is incomplete. `elsewhere`: another result than on its machine. */
export type Verdict = 'match' | 'partial' | 'differs' | 'none' | 'elsewhere';

/** Returns true if a command could be verified at all, here. */
export const isJudged = (verdict: Verdict): boolean => verdict !== 'none' && verdict !== 'elsewhere';

export function verdictOf({ problems, gaps }: Pick<Verified, 'problems' | 'gaps'>): Verdict {
	if (problems.length > 0) return 'differs';
	if (gaps.includes('no_receipt')) return 'none';
	if (gaps.includes('other_machine')) return 'elsewhere';
	return gaps.length > 0 ? 'partial' : 'match';
}
