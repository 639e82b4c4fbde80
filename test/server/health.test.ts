import { describe, expect, it } from 'vitest';
import { health } from '#server/health.ts';
import { memoryCounters, type Counters } from '#server/limits/counters.ts';
import type { MachineLeases } from '#server/machines/leases.ts';
import { askInTime as ask } from './ask-in-time.ts';
import { startRoutes } from './start.ts';

async function read(state: Awaited<ReturnType<Counters['state']>>, engines?: Record<string, 'ready' | 'away'>) {
	const counters = { ...memoryCounters(), state: () => Promise.resolve(state) };
	const machines = engines && ({ readiness: { read: async () => engines } } as unknown as MachineLeases);
	const { url } = await startRoutes((app) => app.get('/api/health', health('1.2.3', counters, machines)));
	const { status, headers, text } = await ask(`${url}/api/health`);
	expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
	return JSON.parse(text);
}

describe('the health of a server', () => {
	it.each([
		['memory', 'ready', 'counted by this server only'],
		['redis', 'ready', 'counted in Redis, for all servers together'],
		['away', 'degraded', 'Redis does not respond: requests are counted by this server only, and budgets are closed']
	] as const)('with counters in the state %s is %s', async (state, status, limits) => {
		expect(await read(state)).toEqual({ status, version: '1.2.3', limits, machines: {} });
	});

	it('is degraded while one of its engines does not answer', async () => {
		expect(await read('memory', { docker: 'ready', kubernetes: 'away' })).toMatchObject({
			status: 'degraded',
			machines: { docker: 'ready', kubernetes: 'away' }
		});
		expect(await read('redis', { docker: 'ready' })).toMatchObject({ status: 'ready', machines: { docker: 'ready' } });
	});
});
