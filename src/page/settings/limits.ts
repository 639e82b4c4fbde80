import * as z from 'zod/mini';
import { readStored, writeStored } from './stored.ts';

/** Limits of an agent's autonomy. Stored with a session; a new session starts with the last choice. */
export const Limits = z.object({
	/** US dollars for the session; `null`: no cap. */
	spendingCapUsd: z.nullable(z.number().check(z.positive())),
	/** Rounds of tool calls per message. */
	maxRounds: z.int().check(z.positive(), z.maximum(10_000))
});
export type Limits = z.infer<typeof Limits>;

const CHOSEN_LAST = 'sandglass:limits';

export function limitsForNewSession(): Limits {
	return readStored(localStorage, CHOSEN_LAST, Limits) ?? { spendingCapUsd: null, maxRounds: 200 };
}

export function rememberLimits(limits: Limits): void {
	writeStored(localStorage, CHOSEN_LAST, limits);
}
