import { CountersAway, type Counter } from '../limits/counters.ts';
import { Refusal } from '../refusal.ts';
import { pricesOf } from './prices.ts';

/** What one call may cost before its answer tells: held from the budget until then. */
export interface Charge {
	/** Millionths of a dollar. */
	held: number;
	/** Puts the real cost in place of what was held. */
	settle(microUsd: number): Promise<void>;
}

/** What is left of a day's budget, in US dollars. */
export interface Remaining {
	limitUsd: number;
	/** `null` while it cannot be counted; then calls that cost are refused. */
	remainingUsd: number | null;
}

export interface Budgets {
	/** The narrowest of the budgets that a call of this client would be held from; those in flight count as spent. */
	remaining(provider: string, client: string): Promise<Remaining>;
	/**
	 * @param requestBytes of the body, from which its tokens are guessed
	 * @throws Refusal 402 when a budget is spent, 503 when it cannot be counted
	 */
	hold(provider: string, client: string, requestBytes: number): Promise<Charge>;
}

/** Longer than the day its key names. */
export const BUDGET_WINDOW_S = 2 * 86_400;
const BYTES_PER_INPUT_TOKEN = 4;
const OUTPUT_TOKENS = 4_000;
const MICRO = 1_000_000;

/**
 * Daily budgets, from midnight to midnight UTC: one for each key, and in a lent server one for each guest.
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
					// Others' holds count as spent, so that many calls at once cannot run past the end together.
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
	"Today's budget of this server for that provider is spent. It starts again at midnight UTC; a key of your own works until then.";
const GUEST_SPENT =
	"Your share of this server's budget is spent for today. It starts again at midnight UTC; a key of your own works until then.";
const UNKNOWN =
	'This server cannot count what is spent at the moment, so it makes no model calls. Try again shortly, or use a key of your own.';
