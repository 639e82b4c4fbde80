import { CountersAway, type Counter } from '../limits/counters.ts';
import { Refusal } from '../refusal.ts';
import { pricesOf } from './prices.ts';

/** Upper estimate of a call's cost, held from the budget until the response reveals the real cost. */
export interface Charge {
	/** Millionths of a dollar. */
	held: number;
	/** Replaces the held amount with the real cost. */
	settle(microUsd: number): Promise<void>;
}

/** Remaining daily budget, in US dollars. */
export interface Remaining {
	limitUsd: number;
	/** `null` while it cannot be counted; calls that cost money are then refused. */
	remainingUsd: number | null;
}

export interface Budgets {
	/**
	 * The smallest of the budgets that a call of this client would be charged to; calls in flight count as spent.
	 */
	remaining(provider: string, client: string): Promise<Remaining>;
	/**
	 * Holds the estimated cost of a call.
	 * @param requestBytes size of the body, used to estimate its tokens
	 * @throws Refusal 402 when a budget is spent, 503 when it cannot be counted
	 */
	hold(provider: string, client: string, requestBytes: number): Promise<Charge>;
}

/** Window of a day's counter: longer than the day that its key names. */
export const BUDGET_WINDOW_S = 2 * 86_400;
const BYTES_PER_INPUT_TOKEN = 4;
const OUTPUT_TOKENS = 4_000;
const MICRO = 1_000_000;

/**
 * Daily budgets, from midnight to midnight UTC: one per key, and one per guest on a server shared with guests.
 * @param limits US dollars; `undefined` for none
 */
export function createBudgets(
	counter: Counter,
	limits: { perKeyUsd: number | undefined; perGuestUsd: number | undefined },
	now: () => number = Date.now
): Budgets | undefined {
	if (limits.perKeyUsd === undefined && limits.perGuestUsd === undefined) return undefined;

	const pursesOf = (provider: string, client: string) => {
		const day = new Date(now()).toISOString().slice(0, 10);
		return [
			{ key: `${day}:key:${provider}`, usd: limits.perKeyUsd, spent: KEY_SPENT },
			{ key: `${day}:guest:${client}`, usd: limits.perGuestUsd, spent: GUEST_SPENT }
		].filter(({ usd }) => usd !== undefined);
	};

	return {
		async remaining(provider, client) {
			let least: Remaining = { limitUsd: 0, remainingUsd: Infinity };
			for (const { key, usd = 0 } of pursesOf(provider, client)) {
				const { total } = await counter.add(key, 0).catch((error: unknown) => {
					if (error instanceof CountersAway) return { total: null };
					throw error;
				});
				if (total === null) return { limitUsd: usd, remainingUsd: null };
				const left = Math.max(0, usd - total / MICRO);
				if (left < (least.remainingUsd ?? 0)) least = { limitUsd: usd, remainingUsd: left };
			}
			return least;
		},
		async hold(provider, client, requestBytes) {
			const purses = pursesOf(provider, client);
			const prices = pricesOf(provider, undefined);
			const held = Math.ceil((requestBytes / BYTES_PER_INPUT_TOKEN) * prices.input + OUTPUT_TOKENS * prices.output);
			const taken: string[] = [];
			const add = async (keys: readonly string[], amount: number): Promise<void> => {
				for (const key of keys) await counter.add(key, amount);
			};
			try {
				for (const { key, usd = 0, spent } of purses) {
					const { total } = await counter.add(key, held);
					taken.push(key);
					// Held amounts of other calls count as spent, so that concurrent calls cannot exceed the budget
					// together.
					if (total - held < usd * MICRO) continue;
					await add(taken, -held);
					throw new Refusal(402, 'budget_spent', spent);
				}
			} catch (error) {
				if (error instanceof CountersAway) throw new Refusal(503, 'budget_unknown', UNKNOWN, { 'Retry-After': '10' });
				throw error;
			}
			return { held, settle: (microUsd) => add(taken, Math.ceil(microUsd) - held) };
		}
	};
}

const KEY_SPENT =
	"Today's budget of this server for this provider is spent. It resets at midnight UTC; until then, use your own key.";
const GUEST_SPENT =
	"Your share of this server's budget is spent for today. It resets at midnight UTC; until then, use your own key.";
const UNKNOWN =
	'This server cannot count costs at the moment, so it makes no model calls. Try again shortly, or use your own key.';
