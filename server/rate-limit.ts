import { createMiddleware } from 'hono/factory';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { ServerContext, ServerEnvironment } from './context.ts';
import { Refusal } from './refusal.ts';

/** Requests a client address may make in a minute. */
export interface RateLimits {
	llm: number;
	/** git, archive, npm, fetch, egress together; an npm install is hundreds of them. */
	outbound: number;
	/** Uploads of shares. */
	shares: number;
	wrongTokens: number;
}

export const RATE_LIMITS: RateLimits = { llm: 300, outbound: 6_000, shares: 30, wrongTokens: 10 };

export function clientAddress(c: ServerContext): string {
	return c.env.incoming.socket.remoteAddress ?? 'unknown';
}

/** @returns a function that counts one request and throws a 429 Refusal beyond the limit */
export function createRateLimit(perMinute: number): (c: ServerContext) => Promise<void> {
	const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
	return async (c) => {
		try {
			await limiter.consume(clientAddress(c));
		} catch (error) {
			if (!(error instanceof RateLimiterRes)) throw error;
			const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
			throw new Refusal(429, 'rate_limited', `Too many requests from this address. Try again in ${seconds} s.`, {
				'Retry-After': String(seconds)
			});
		}
	};
}

export const limitRate = (count: (c: ServerContext) => Promise<void>) =>
	createMiddleware<ServerEnvironment>(async (c, next) => {
		await count(c);
		await next();
	});
