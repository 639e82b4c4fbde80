import { apiHeaders } from './page/headers.ts';
import type { Counters } from './limits/counters.ts';
import type { ServerContext } from './context.ts';

const SENTENCES = {
	memory: 'counted by this server alone',
	redis: 'counted in Redis, for all servers together',
	away: 'Redis does not answer: requests are counted by this server alone, and budgets stay closed'
};

/**
 * `/api/health`. Answers 200 also while Redis is away: this server still serves, and taking all of them
 * out of the balancer would help nobody.
 */
export const health = (version: string, counters: Counters) => async (c: ServerContext) => {
	const state = await counters.state();
	const status = state === 'away' ? 'degraded' : 'ready';
	return c.json({ status, version, limits: SENTENCES[state] }, 200, apiHeaders);
};
