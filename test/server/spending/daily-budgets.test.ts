import { describe, expect, it } from 'vitest';
import { CountersAway, type Counter } from '#server/limits/counters.ts';
import { createBudgets } from '#server/spending/budgets.ts';

const NOON = Date.UTC(2026, 10, 28, 12);
const DAY_MS = 86_400_000;
/**
 * Amount that a call of 400 bytes reserves at Anthropic's highest prices: 100 tokens at 5, 4,000 at 25 dollars per
 * million.
 */
const HELD = 100_500;

/** Budgets on a counter whose totals can be read; `failure` is its answer instead. */
function start(perKeyUsd: number | undefined, perGuestUsd?: number) {
	const totals = new Map<string, number>();
	const state: { now: number; failure: Error | undefined } = { now: NOON, failure: undefined };
	const counter: Counter = {
		add: async (key, amount) => {
			if (state.failure) throw state.failure;
			totals.set(key, (totals.get(key) ?? 0) + amount);
			return { total: totals.get(key) ?? 0, resetMs: 1 };
		}
	};
	const budgets = createBudgets(counter, { perKeyUsd, perGuestUsd }, () => state.now);
	if (!budgets) throw new Error('There is a budget.');
	return { budgets, totals, state };
}

const KEY = '2026-11-28:key:anthropic';
const GUEST = '2026-11-28:guest:me';
const hold = ({ budgets }: ReturnType<typeof start>, client = 'me') => budgets.hold('anthropic', client, 400);

describe('a daily budget', () => {
	it('is none where none is set', () => {
		const counter: Counter = { add: () => Promise.reject(new Error('Nobody counts.')) };
		expect(createBudgets(counter, { perKeyUsd: undefined, perGuestUsd: undefined })).toBeUndefined();
	});

	it('is charged the estimate of a call, and then what it cost, rounded up', async () => {
		const server = start(1);
		const charge = await hold(server);
		expect(charge.held).toBe(HELD);
		expect([...server.totals]).toEqual([[KEY, HELD]]);
		await charge.settle(1_000.2);
		expect([...server.totals]).toEqual([[KEY, 1_001]]);
	});

	it('is one of a key, one of each guest, or both', async () => {
		const guests = start(undefined, 1);
		await hold(guests);
		expect([...guests.totals]).toEqual([[GUEST, HELD]]);
		const both = start(1, 1);
		const charge = await hold(both);
		expect([...both.totals]).toEqual([
			[KEY, HELD],
			[GUEST, HELD]
		]);
		await charge.settle(0);
		expect([...both.totals.values()]).toEqual([0, 0]);
	});

	it('ends at midnight UTC', async () => {
		const server = start(1);
		server.state.now = Date.UTC(2026, 10, 28) + DAY_MS - 1;
		await hold(server);
		server.state.now += 1;
		await hold(server);
		expect([...server.totals.keys()]).toEqual([KEY, '2026-11-29:key:anthropic']);
	});

	it('may be passed by the call that spends its rest, and by no other', async () => {
		const server = start(0.1);
		server.totals.set(KEY, 99_999);
		await hold(server);
		expect(server.totals.get(KEY)).toBe(99_999 + HELD);
		const full = start(0.1);
		full.totals.set(KEY, 100_000);
		await expect(hold(full)).rejects.toMatchObject({
			status: 402,
			code: 'budget_spent',
			message:
				"Today's budget of this server for this provider is spent. It resets at midnight UTC; until then, use your own key."
		});
		expect(full.totals.get(KEY)).toBe(100_000);
	});

	it('of a guest that is spent leaves that of the key as it was, and other guests theirs', async () => {
		const server = start(1, 0.1);
		server.totals.set(GUEST, 100_000);
		await expect(hold(server)).rejects.toMatchObject({
			status: 402,
			message:
				"Your share of this server's budget is spent for today. It resets at midnight UTC; until then, use your own key."
		});
		expect([server.totals.get(KEY), server.totals.get(GUEST)]).toEqual([0, 100_000]);
		await hold(server, 'you');
	});

	it('that cannot be counted allows no call, and says when to try again', async () => {
		const server = start(1);
		server.state.failure = new CountersAway('Redis does not respond.');
		await expect(hold(server)).rejects.toMatchObject({
			status: 503,
			code: 'budget_unknown',
			message:
				'This server cannot count costs at the moment, so it makes no model calls. Try again shortly, or use your own key.',
			headers: { 'Retry-After': '10' }
		});
		server.state.failure = new TypeError('A fault of ours.');
		await expect(hold(server)).rejects.toThrow('A fault of ours.');
	});
});

describe('what remains of a budget', () => {
	const remaining = ({ budgets }: ReturnType<typeof start>) => budgets.remaining('anthropic', 'me');

	it('is the least of those that a call would be charged to', async () => {
		const server = start(2, 1);
		expect(await remaining(server)).toEqual({ limitUsd: 1, remainingUsd: 1 });
		server.totals.set(KEY, 1_500_000);
		expect(await remaining(server)).toEqual({ limitUsd: 2, remainingUsd: 0.5 });
		server.totals.set(GUEST, 900_000);
		expect((await remaining(server)).limitUsd).toBe(1);
		expect((await remaining(server)).remainingUsd).toBeCloseTo(0.1);
	});

	it('is the first of two that are alike, and never less than nothing', async () => {
		const server = start(2, 1);
		server.totals.set(KEY, 1_000_000);
		expect(await remaining(server)).toEqual({ limitUsd: 2, remainingUsd: 1 });
		server.totals.set(KEY, 9_000_000);
		expect(await remaining(server)).toEqual({ limitUsd: 2, remainingUsd: 0 });
	});

	it('is counted, not charged', async () => {
		const server = start(1);
		await remaining(server);
		expect([...server.totals.values()]).toEqual([0]);
	});

	it('is not known while it cannot be counted', async () => {
		const server = start(1, 2);
		server.state.failure = new CountersAway('Redis does not respond.');
		expect(await remaining(server)).toEqual({ limitUsd: 1, remainingUsd: null });
		server.state.failure = new TypeError('A fault of ours.');
		await expect(remaining(server)).rejects.toThrow('A fault of ours.');
	});
});
