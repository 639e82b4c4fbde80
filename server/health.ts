import { apiHeaders } from './page/headers.ts';
import type { Counters } from './limits/counters.ts';
import type { MachineLeases } from './machines/leases.ts';
import type { ServerContext } from './context.ts';

const SENTENCES = {
	memory: 'counted by this server only',
	redis: 'counted in Redis, for all servers together',
	away: 'Redis does not respond: requests are counted by this server only, and budgets are closed'
};

/**
 * `/api/health`. Answers 200 even if Redis is down: this server still serves, and taking all servers out of the
 * load balancer would not help.
 */
export const health = (version: string, counters: Counters, machines?: MachineLeases) => async (c: ServerContext) => {
	const state = await counters.state();
	const status = state === 'away' ? 'degraded' : 'ready';
	return c.json(
		{ status, version, limits: SENTENCES[state], machines: machines?.types.map(({ id }) => id) ?? [] },
		200,
		apiHeaders
	);
};
