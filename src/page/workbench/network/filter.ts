import type { LedgerEntry } from '../../egress/ledger.ts';

export type LedgerFilter = 'all' | 'allowed' | 'refused' | 'failed';

const OF_FILTER: Record<LedgerFilter, (outcome: LedgerEntry['outcome']) => boolean> = {
	all: () => true,
	allowed: (outcome) => outcome === 'done' || outcome === 'running',
	refused: (outcome) => outcome === 'refused',
	failed: (outcome) => outcome === 'failed'
};

/**
 * Matching requests, newest first.
 * @param query words that must all occur in the address, the purpose or the reason of a refusal
 */
export function filterLedger(entries: readonly LedgerEntry[], filter: LedgerFilter, query: string): LedgerEntry[] {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	return entries
		.filter(({ outcome }) => OF_FILTER[filter](outcome))
		.filter(({ purpose, method, url, status, reason }) => {
			const text = `${purpose} ${method} ${url} ${status ?? ''} ${reason ?? ''}`.toLowerCase();
			return words.every((word) => text.includes(word));
		})
		.toReversed();
}
