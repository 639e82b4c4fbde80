import type { AnswerEgress } from '#environment/remote/egress.ts';
import { t } from '../strings/index.ts';
import type { EgressLedger } from './ledger.ts';

/**
 * Answers requests of programs on a machine: each is recorded in the ledger, which asks the user about new hosts. The
 * page adds no tokens, since a machine could impersonate any program.
 */
export function answerThroughLedger(ledger: Pick<EgressLedger, 'request'>): AnswerEgress {
	return async ({ method, url, headers, body }) => {
		const sent = body.length === 0 ? null : body;
		const answer = await ledger.request({ method, url, headers, body: sent, purpose: t.machines.program });
		const { status, statusText } = answer;
		return { status, statusText: statusText.replace(/[^\x20-\x7e]/g, ''), headers: answer.headers, body: answer.body };
	};
}
