import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '#page/egress/ledger.ts';
import { filterLedger } from '#page/workbench/network/filter.ts';

const entry = (id: number, url: string, outcome: LedgerEntry['outcome'], rest: Partial<LedgerEntry> = {}) => ({
	id,
	timestamp: id,
	purpose: 'curl',
	method: 'GET',
	url,
	host: new URL(url).host,
	sentBytes: 0,
	receivedBytes: 0,
	outcome,
	...rest
});
const entries = [
	entry(1, 'https://example.org/a', 'done', { status: 200 }),
	entry(2, 'https://example.org/b', 'refused', { reason: 'example.org was not allowed.' }),
	entry(3, 'https://registry.npmjs.org/left', 'running', { purpose: 'npm' }),
	entry(4, 'https://elsewhere.org/', 'failed', { reason: 'The network cannot be reached.' }),
	entry(5, 'https://elsewhere.org/x', 'asking', { method: 'POST' })
];
const ids = (...given: [filter: Parameters<typeof filterLedger>[1], query: string]) =>
	filterLedger(entries, ...given).map(({ id }) => id);

describe('the list of requests', () => {
	it('has the newest first and splits into allowed, refused and failed', () => {
		expect(ids('all', '')).toEqual([5, 4, 3, 2, 1]);
		expect(ids('allowed', '')).toEqual([3, 1]);
		expect(ids('refused', '')).toEqual([2]);
		expect(ids('failed', '')).toEqual([4]);
	});

	it('finds by tool, method, address, status and reason, all words at once', () => {
		expect(ids('all', 'NPM')).toEqual([3]);
		expect(ids('all', 'post elsewhere')).toEqual([5]);
		expect(ids('all', '200')).toEqual([1]);
		expect(ids('all', 'not allowed')).toEqual([2]);
		expect(ids('refused', 'npm')).toEqual([]);
	});
});
