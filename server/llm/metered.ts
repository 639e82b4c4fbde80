import { pipeline, type Writable } from 'node:stream';
import { bodyBytes } from '../request-body.ts';
import { Refusal } from '../refusal.ts';
import type { ServerContext } from '../context.ts';
import type { Budgets, Charge } from '../spending/budgets.ts';
import { meter } from '../spending/meter.ts';
import type { Provider } from './providers.ts';

/** Calls that cost money; counting tokens and listing models are free. */
const COSTS = /\/(messages|responses|chat\/completions)$|:(generateContent|streamGenerateContent)$/;

/** A call charged to a budget: its complete body, and the functions that settle the charge. */
export interface MeteredCall {
	body: Uint8Array;
	/** Stream to write the response to; counts its cost on the way to `out`. */
	count(out: Writable, contentType: string): Writable;
	/** Releases the held amount: nothing was spent. */
	release(): void;
}

/**
 * Holds the call's estimated cost. Returns `undefined` for a call that needs no budget: a free one, or one to a
 * server without a key.
 * @throws Refusal 402 or 503 from the budget, 400 for a call whose cost the response would not reveal
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
			'This server has a budget and refuses background calls, since it could not see their cost.'
		);
	const charge: Charge = await budgets.hold(provider.id, c.get('client'), body.byteLength);
	const settle = (microUsd: number): void => void charge.settle(microUsd).catch(failed);
	return {
		body,
		count(out, contentType) {
			const counted = meter(provider.id, contentType, charge.held, settle);
			pipeline(counted, out, () => undefined); // the reader of `out` sees that it was cut
			return counted;
		},
		release: () => settle(0)
	};
}

/**
 * Detects OpenAI's `background: true`, which responds at once and continues unseen. Parses the body, so that escapes
 * cannot hide it.
 */
function runsUnseen(body: Uint8Array): boolean {
	let json: unknown;
	try {
		json = JSON.parse(Buffer.from(body).toString('utf8'));
	} catch {
		return false; // the provider will refuse it
	}
	return typeof json === 'object' && json !== null && 'background' in json && Boolean(json.background);
}
