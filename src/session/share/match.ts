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

/** Information missing in a receipt, so that nothing can be verified. */
export type Gap = 'no_receipt' | 'older_kind' | 'no_files_after';

/** Result of comparing one command of a share with the conversation and with a new run. */
export interface Verified {
	callId: string;
	/** Text displayed in the conversation. */
	command: string;
	problems: Problem[];
	gaps: Gap[];
	/** Exit code of the receipt and of the new run; absent if it was not run. */
	exitCode?: { recorded: number; here: number };
	/** Output of the new run, if it differs. */
	printed?: string;
}

/** `partial`: no contradiction, but the receipt is incomplete. */
export type Verdict = 'match' | 'partial' | 'differs' | 'none';

export function verdictOf({ problems, gaps }: Pick<Verified, 'problems' | 'gaps'>): Verdict {
	if (problems.length > 0) return 'differs';
	if (gaps.includes('no_receipt')) return 'none';
	return gaps.length > 0 ? 'partial' : 'match';
}
