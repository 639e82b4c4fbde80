import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { channelPair } from '#environment/remote/channel.ts';
import { RemoteExecutionEnvironment } from '#environment/remote/environment.ts';
import type { Machine, MachineProvider } from '#server/machines/contract.ts';
import { MachineLeases, QuotaError } from '#server/machines/leases.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';

const LIMITS = { perClient: 1, idleMs: 1_000, lifetimeMs: 100_000 };

/** Machines that are entries of a list, and a clock that the test turns. */
function createLeases(perClient = 1) {
	const machines = new Map<string, Machine>();
	const clock = { now: 1_000_000 };
	let last = 0;
	const find = (id: string): Machine => machines.get(id) ?? expect.unreachable(`${id} is gone.`);
	const provider: MachineProvider = {
		type: { id: 'docker', kind: 'docker', name: 'image' },
		check: async () => {},
		create: async () => {
			const machine: Machine = { id: `m${++last}`, type: 'docker', createdMs: clock.now, isSuspended: false };
			// As slow as a container: others can ask meanwhile.
			await new Promise((resolve) => setImmediate(resolve));
			machines.set(machine.id, machine);
			return machine;
		},
		list: async () => [...machines.values()],
		attach: async () => createTemporary(),
		suspend: async (id) => void (find(id).isSuspended = true),
		destroy: async (id) => void machines.delete(id)
	};
	const leases = new MachineLeases([provider], { ...LIMITS, perClient }, () => clock.now);
	const create = async (client: string, session: string): Promise<string> =>
		(await leases.create('docker', { client, session }))?.id ?? expect.unreachable('There is no such type.');
	return { leases, machines, provider, clock, create, names: () => [...machines.keys()] };
}

describe('machines of a client', () => {
	it('are as many as the operator allows, those that are being created included', async () => {
		const { create, names } = createLeases(2);
		const asked = await Promise.allSettled(['a', 'b', 'c'].map((session) => create('client', session)));
		expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
		await expect(create('client', 'd')).rejects.toThrow(QuotaError);
		await create('another', 'a');
		expect(names()).toEqual(['m1', 'm2', 'm3']);
	});

	it('are free again when one is removed', async () => {
		const { create, leases, names } = createLeases();
		await leases.remove(await create('client', 'a'));
		await create('client', 'b');
		expect(names()).toEqual(['m2']);
	});

	it('are one for each session: another replaces what a page left behind that was closed in the middle', async () => {
		const { create, names } = createLeases();
		await create('client', 'a');
		await create('client', 'a');
		expect(names()).toEqual(['m2']);
		await Promise.all([create('client', 'a'), create('client', 'a')]);
		expect(names()).toEqual(['m4']);
		// The name of a session is no right to the machine of another client.
		await create('another', 'a');
		expect(names()).toEqual(['m4', 'm5']);
		await expect(create('client', 'b')).rejects.toThrow(QuotaError);
	});
});

describe('machines that nobody uses', () => {
	afterEach(removeTemporary);

	it('are suspended, then removed', async () => {
		const { create, leases, machines, clock, names } = createLeases();
		await create('client', 'a');
		clock.now += LIMITS.idleMs;
		await leases.sweep();
		expect(machines.get('m1')?.isSuspended).toBe(false);
		clock.now += 1;
		await leases.sweep();
		expect(machines.get('m1')?.isSuspended).toBe(true);
		clock.now += LIMITS.idleMs + 1;
		await leases.sweep();
		expect(names()).toEqual([]);
		expect(await leases.ticket('m1', { session: 'a', title: '' }, false)).toBeUndefined();
	});

	it('are those without a session: a connected one stays until the end of its life', async () => {
		const { create, leases, clock, names, machines } = createLeases();
		const id = await create('client', 'a');
		const page = new RemoteExecutionEnvironment({
			connect: async () => {
				const [near, far] = channelPair();
				const ticket = await leases.ticket(id, { session: 'a', title: '' }, false);
				if (!leases.connect(ticket ?? '', () => far)) throw new Error('The ticket was refused.');
				return near;
			},
			giveUpMs: 0
		});
		onTestFinished(() => page.cleanup());
		await page.initialize();
		clock.now += 10 * LIMITS.idleMs;
		await leases.sweep();
		expect(machines.get(id)?.isSuspended).toBe(false);
		clock.now += LIMITS.lifetimeMs;
		await leases.sweep();
		expect(names()).toEqual([]);
	});

	it('are removed if a dead server left them, but not while they are being created', async () => {
		const { leases, provider, clock, names } = createLeases();
		await provider.create();
		await leases.sweep();
		expect(names()).toEqual(['m1']);
		clock.now += 60_001;
		await leases.sweep();
		expect(names()).toEqual([]);
	});
});
