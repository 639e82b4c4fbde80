import { describe, expect, it, vi } from 'vitest';
import type { MachineProvider } from '#server/machines/contract.ts';
import { MachineReadiness } from '#server/machines/readiness.ts';
import { inTime } from '#test/in-time.ts';
import { askInTime as ask } from '../ask-in-time.ts';
import { startSandglass } from '../start.ts';

const provider = (id: string, check: () => Promise<void>): MachineProvider => ({
	type: { id, kind: 'docker', name: id },
	check,
	create: () => expect.unreachable('Nothing is created.'),
	list: async () => [],
	attach: () => expect.unreachable('Nothing is attached.'),
	ended: () => new Promise(() => {}),
	suspend: async () => {},
	destroy: async () => {}
});

describe('readiness of machines', () => {
	it('is asked of each engine: one that fails, or says nothing, is away', async () => {
		const readiness = new MachineReadiness(
			[
				provider('works', async () => {}),
				provider('fails', () => Promise.reject(new Error('connect ENOENT /var/run/docker.sock'))),
				provider('hangs', () => new Promise(() => {}))
			],
			() => 0,
			20
		);
		const expected = { works: 'ready', fails: 'away', hangs: 'away' };
		expect(await inTime(readiness.read(), 'an answer for all engines')).toEqual(expected);
	});

	it('is waited for no longer once an engine has answered', async () => {
		const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
		const before = timers();
		const readiness = new MachineReadiness([provider('docker', async () => {})], () => 0, 60_000);
		const answer = readiness.read();
		expect(timers()).toBe(before + 1);
		expect(await answer).toEqual({ docker: 'ready' });
		expect(timers()).toBe(before);
	});

	it('is kept for ten seconds, also while the engine is being asked', async () => {
		const startMs = 1_000_000;
		let now = startMs;
		const check = vi.fn(async () => {});
		const readiness = new MachineReadiness([provider('docker', check)], () => now);
		await inTime(Promise.all([readiness.read(), readiness.read()]), 'an answer');
		now = startMs + 9_999;
		await readiness.read();
		expect(check).toHaveBeenCalledTimes(1);
		now = startMs + 10_000;
		await readiness.read();
		expect(check).toHaveBeenCalledTimes(2);
	});

	it('is in /api/health, without the place of the engine', async () => {
		const server = await startSandglass({
			SANDGLASS_DOCKER: '/nowhere/docker.sock',
			SANDGLASS_MACHINE_IMAGE: 'debian:13',
			SANDGLASS_TOKEN: 'a-long-word-that-nobody-guesses'
		});
		const { status, text } = await ask(`${server.url}/api/health`);
		expect([status, JSON.parse(text)]).toMatchObject([200, { status: 'degraded', machines: { docker: 'away' } }]);
		expect(text).not.toContain('nowhere');
	});
});
