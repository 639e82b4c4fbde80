import fc from '#test/fast-check.ts';
import { expect, vi } from 'vitest';
import { ask } from '../start.ts';
import { answerTo, fault } from './answer.ts';
import { anyRequest, rightRequest, type FuzzRequest } from './requests.ts';
import { startWorld } from './world.ts';

/**
 * Sends `runs` requests of any kind and a third as many valid ones to the whole server.
 * @returns how often each status was returned
 */
export async function playRequests(runs: number, seed: number): Promise<Map<number, number>> {
	const world = await startWorld();
	const complaints = vi.spyOn(console, 'error'); // the adapter's own, which are not in the log
	const { url } = world.server;
	const statuses = new Map<number, number>();
	const play = async (request: FuzzRequest): Promise<number> => {
		const answer = await answerTo(url, request);
		statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
		expect(fault(request, answer)).toBeUndefined();
		return answer.status;
	};
	const any = fc.asyncProperty(anyRequest(world), async (request) => void (await play(request)));
	await fc.assert(any, { numRuns: runs, seed });
	const right = fc.asyncProperty(rightRequest(world), async (request) => {
		const status = await play(request);
		expect(Math.floor(status / 100)).toBe(2);
	});
	await fc.assert(right, { numRuns: Math.ceil(runs / 3), seed });
	expect((await ask(`${url}/api/health`)).status).toBe(200);
	expect(world.server.logged.filter((line) => line.includes('"stack"'))).toEqual([]);
	expect(complaints.mock.calls).toEqual([]);
	complaints.mockRestore();
	return statuses;
}
