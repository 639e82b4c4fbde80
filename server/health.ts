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
 * `/api/health`. Answers 200 even if Redis or an engine of machines is down: this server still serves, and taking
 * all servers out of the load balancer would not help.
 */
export const health = (version: string, counters: Counters, machines?: MachineLeases) => async (c: ServerContext) => {
	const [state, engines = {}] = await Promise.all([counters.state(), machines?.readiness.read()]);
	const isDegraded = state === 'away' || Object.values(engines).includes('away');
	const status = isDegraded ? 'degraded' : 'ready';
	return c.json({ status, version, limits: SENTENCES[state], machines: engines }, 200, apiHeaders);
};
