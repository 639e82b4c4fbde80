import type { ServerContext } from '../context.ts';
import type { Counter } from '../limits/counters.ts';
import { Refusal } from '../refusal.ts';

/** Limits of what one client may store per day. */
export interface ShareQuota {
	count: number;
	bytes: number;
}

export const SHARE_QUOTA: ShareQuota = { count: 200, bytes: 2 ** 30 };
export const QUOTA_WINDOW_S = 86_400;

/**
 * Counts an upload by its announced length, or as the maximum length if none is announced. Aborted or deleted
 * uploads count too: they were sent.
 * @returns a function that throws a 429 Refusal when the client has used up its daily quota
 */
export function createQuota(counter: Counter, quota: ShareQuota, longest: number) {
	return async (c: ServerContext): Promise<void> => {
		const client = c.get('client');
		const announced = Number(c.req.header('content-length') ?? longest);
		const bytes = Math.min(Number.isInteger(announced) && announced >= 0 ? announced : longest, longest);
		const uploads = await counter.add(`count:${client}`, 1);
		const stored = await counter.add(`bytes:${client}`, bytes);
		if (uploads.total <= quota.count && stored.total <= quota.bytes) return;
		const seconds = Math.max(1, Math.ceil(stored.resetMs / 1000));
		throw new Refusal(
			429,
			'share_quota',
			`Too much was shared from this address today. Try again in ${Math.ceil(seconds / 3600)} h.`,
			{ 'Retry-After': String(seconds) }
		);
	};
}
