/**
 * Why a command is not verified. Before it is run: the conversation shows another command, output or exit code than the
 * receipt says; the step is of a call the conversation does not show, or that two have the id of, stands elsewhere, or
 * belongs to another session or another row of steps; its files are not carried. Afterwards: what came of it differs.
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

/** What a receipt does not say, so that nothing can be verified of it. */
export type Gap = 'no_receipt' | 'older_kind' | 'no_files_after';

/** What came of comparing one command of a share: with what is shown, and with what it does here. */
export interface Verified {
	callId: string;
	/** As the conversation shows it. */
	command: string;
	problems: Problem[];
	gaps: Gap[];
	/** As the receipt says, and as it is here; absent where it was not run. */
	exitCode?: { told: number; here: number };
	/** What it printed here, where that differs. */
	printed?: string;
}

/** `partial`: nothing speaks against it, and the receipt does not say all of it. */
export type Verdict = 'match' | 'partial' | 'differs' | 'none';

export function verdictOf({ problems, gaps }: Pick<Verified, 'problems' | 'gaps'>): Verdict {
	if (problems.length > 0) return 'differs';
	if (gaps.includes('no_receipt')) return 'none';
	return gaps.length > 0 ? 'partial' : 'match';
}
