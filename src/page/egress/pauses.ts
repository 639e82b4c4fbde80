import type { Pauses } from '#computer/host/command-clock.ts';
import type { EgressLedger } from './ledger.ts';

/** Times at which a question about a host is open: the command that reaches it cannot go on meanwhile. */
export function pausesForQuestions(ledger: EgressLedger): Pauses {
	return {
		isPaused: () => ledger.questions.length > 0,
		onChange: (listener) => ledger.onChange(listener)
	};
}
