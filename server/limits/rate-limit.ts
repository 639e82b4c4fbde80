import { createMiddleware } from 'hono/factory';
import type { ServerContext, ServerEnvironment } from '../context.ts';
import { Refusal } from '../refusal.ts';
import type { Counter } from './counters.ts';

/** Requests a client address may make per minute. */
export interface RateLimits {
	llm: number;
	/** git, archive, npm, fetch and egress together; an npm install makes hundreds of requests. */
	outbound: number;
	/** Uploads of shares. */
	shares: number;
	/** Machines that are created. */
	machines: number;
	wrongTokens: number;
}

export const RATE_LIMITS: RateLimits = { llm: 300, outbound: 6_000, shares: 30, machines: 10, wrongTokens: 10 };
export const RATE_WINDOW_S = 60;

/** Counts one request. @throws Refusal with 429 beyond the limit */
export type RateLimit = (c: ServerContext) => Promise<void>;

/** Limits the requests that a client address makes in a minute. */
export function createRateLimit(counter: Counter, perMinute: number): RateLimit {
	return async (c) => {
		const { total, resetMs } = await counter.add(c.get('client'), 1);
		if (total <= perMinute) return;
		const seconds = Math.max(1, Math.ceil(resetMs / 1000));
		throw new Refusal(429, 'rate_limited', `Too many requests from this address. Try again in ${seconds} s.`, {
			'Retry-After': String(seconds)
		});
	};
}

/** Middleware that counts each request before it is handled. */
export const limitRate = (count: RateLimit) =>
	createMiddleware<ServerEnvironment>(async (c, next) => {
		await count(c);
		await next();
	});
