import { describe, expect, it, vi } from 'vitest';
import type { MachineProvider } from '#server/machines/contract.ts';
import { MachineReadiness } from '#server/machines/readiness.ts';
import { ask, startSandglass } from '../start.ts';

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
		expect(await readiness.read()).toEqual({ works: 'ready', fails: 'away', hangs: 'away' });
	});

	it('is kept for ten seconds, also while the engine is being asked', async () => {
		let now = 0;
		const check = vi.fn(async () => {});
		const readiness = new MachineReadiness([provider('docker', check)], () => now);
		await Promise.all([readiness.read(), readiness.read()]);
		now = 9_999;
		await readiness.read();
		expect(check).toHaveBeenCalledTimes(1);
		now = 10_000;
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
