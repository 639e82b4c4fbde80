import { pipeline, type Writable } from 'node:stream';
import { bodyBytes } from '../request-body.ts';
import { Refusal } from '../refusal.ts';
import type { ServerContext } from '../context.ts';
import type { Budgets, Charge } from '../spending/budgets.ts';
import { meter } from '../spending/meter.ts';
import type { Provider } from './providers.ts';

/** Counting tokens and listing models cost nothing. */
const COSTS = /\/(messages|responses|chat\/completions)$|:(generateContent|streamGenerateContent)$/;

/** A call that a budget pays for: its body, read whole, and what becomes of its charge. */
export interface MeteredCall {
	body: Uint8Array;
	/** Where the answer goes in to have its cost counted on the way to `out`. */
	count(out: Writable, contentType: string): Writable;
	/** Nothing was spent. */
	release(): void;
}

/**
 * `undefined` for a call that needs no budget: a free one, or one to a server that takes no key.
 * @throws Refusal 402 or 503 from the budget, 400 for a call whose cost the answer would not tell
 */
export async function meteredCall(
	c: ServerContext,
	provider: Provider,
	path: string,
	budgets: Budgets | undefined,
	maxBytes: number,
	failed: (error: unknown) => void
): Promise<MeteredCall | undefined> {
	if (!budgets || !provider.key || c.req.method !== 'POST' || !COSTS.test(path)) return undefined;
	const body = await bodyBytes(c, maxBytes);
	if (runsUnseen(body))
		throw new Refusal(
			400,
			'cost_unseen',
			'This server has a budget, so it takes no background calls: their cost would not be seen.'
		);
	const charge: Charge = await budgets.hold(provider.id, c.get('client'), body.byteLength);
	const settle = (microUsd: number): void => void charge.settle(microUsd).catch(failed);
	return {
		body,
		count(out, contentType) {
			const counted = meter(provider.id, contentType, charge.held, settle);
			pipeline(counted, out, () => undefined); // whoever reads `out` sees it cut
			return counted;
		},
		release: () => settle(0)
	};
}

/** OpenAI's `background: true` answers at once and works on; escapes cannot hide it, since it is parsed. */
function runsUnseen(body: Uint8Array): boolean {
	let json: unknown;
	try {
		json = JSON.parse(Buffer.from(body).toString('utf8'));
	} catch {
		return false; // the provider will refuse it
	}
	return typeof json === 'object' && json !== null && 'background' in json && Boolean(json.background);
}
