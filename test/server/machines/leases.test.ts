import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { channelPair, type Channel } from '#environment/remote/channel.ts';
import { RefusedError } from '#environment/remote/connection.ts';
import { RemoteExecutionEnvironment } from '#environment/remote/environment.ts';
import type { Machine, MachineProvider, MachineType } from '#server/machines/contract.ts';
import { LeasedError, MachineLeases, QuotaError } from '#server/machines/leases.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { inTime } from '#test/in-time.ts';

const IDLE = 10 * 60_000;
const LIFETIME = 60 * 60_000;
const TICKET = 30_000;

const channel = (): Channel => channelPair()[0];

/** Work that lasts until the test opens it. */
function gate() {
	let open = (): void => undefined;
	const opened = new Promise<void>((resolve) => (open = resolve));
	return { opened, open };
}

/** Records its calls. */
class Engine implements MachineProvider {
	readonly type: MachineType;
	machines = new Map<string, Machine>();
	did: string[] = [];
	failure: Error | undefined;
	/** Awaited by each creation that starts now. */
	slowness: Promise<unknown> = Promise.resolve();
	#last = 0;

	constructor(
		kind: MachineType['kind'],
		private readonly now: () => number
	) {
		this.type = { id: kind, kind, name: kind };
	}

	check = () => Promise.resolve();

	async create(): Promise<Machine> {
		if (this.failure) throw this.failure;
		const { slowness } = this;
		const id = this.type.kind === 'host' ? 'host' : `m${++this.#last}`;
		const machine = { id, type: this.type.id, createdMs: this.now(), isSuspended: false };
		// As slow as a container: other requests can arrive meanwhile.
		await new Promise((resolve) => setImmediate(resolve));
		await slowness;
		this.machines.set(id, machine);
		return machine;
	}

	list = () => Promise.resolve([...this.machines.values()]);
	attach = () => Promise.resolve(createTemporary());

	/** Makes a machine end by itself. */
	end = (id: string): void => this.#ends.get(id)?.();
	readonly #ends = new Map<string, () => void>();

	ended(id: string, signal: AbortSignal): Promise<void> {
		return new Promise((resolve) => {
			this.#ends.set(id, resolve);
			signal.addEventListener('abort', () => resolve());
		});
	}

	suspend(id: string): Promise<void> {
		this.did.push(`suspend ${id}`);
		this.machines.set(id, { ...this.machines.get(id)!, isSuspended: true });
		return Promise.resolve();
	}

	destroy(id: string): Promise<void> {
		this.did.push(`destroy ${id}`);
		this.machines.delete(id);
		return Promise.resolve();
	}
}

let now: number;
let engine: Engine;
let host: Engine;
let leases: MachineLeases;
beforeEach(() => {
	now = 1_000_000;
	engine = new Engine('docker', () => now);
	host = new Engine('host', () => now);
	leases = new MachineLeases([engine, host], { perClient: 2, idleMs: IDLE, lifetimeMs: LIFETIME }, () => now);
});

let sessions = 0;
/** Requests a machine for a session; without a name, for a new session. */
const create = (type: string, client: string, session = `session ${++sessions}`) =>
	leases.create(type, { client, session });

const one = { session: 'one', title: 'Fix the build' };
const two = { session: 'two', title: 'Other work' };

describe('machines of a client', () => {
	it('are of the types that the server offers', async () => {
		expect(leases.types.map(({ id }) => id)).toEqual(['docker', 'host']);
		expect(await create('kubernetes', 'a')).toBeUndefined();
		expect([...leases.counts()]).toEqual([
			['docker', 0],
			['host', 0]
		]);
		await create('docker', 'a');
		await create('docker', 'b');
		expect([...leases.counts()]).toEqual([
			['docker', 2],
			['host', 0]
		]);
	});

	it('are as many as it may have, those on their way included', async () => {
		const made = await Promise.allSettled([1, 2, 3].map(() => create('docker', 'a')));
		expect(made.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
		await expect(create('docker', 'a')).rejects.toThrow(
			new QuotaError('You have 2 machines already. Bring a session back to its tab first.')
		);
		await expect(create('docker', 'a')).rejects.toMatchObject({ name: 'QuotaError' });
		expect(await create('docker', 'b')).toMatchObject({ type: 'docker' });
		await leases.remove('m1');
		expect(await create('docker', 'a')).toBeDefined();
	});

	it('are one for each session: another replaces what a page left behind that was closed in the middle', async () => {
		const names = (): string[] => [...engine.machines.keys()];
		await create('docker', 'a', 'kept');
		await create('docker', 'a', 'again');
		await create('docker', 'a', 'again');
		expect(names()).toEqual(['m1', 'm3']);
		await Promise.all([create('docker', 'a', 'again'), create('docker', 'a', 'again')]);
		expect(names()).toEqual(['m1', 'm5']);
		// The name of a session gives no right to another client's machine.
		await create('docker', 'b', 'again');
		expect(names()).toEqual(['m1', 'm5', 'm6']);
		await expect(create('docker', 'a', 'third')).rejects.toThrow(QuotaError);
	});

	it('are one for each session, however often it asks while they are made', async () => {
		const [early, late] = [gate(), gate()];
		engine.slowness = early.opened;
		const first = create('docker', 'a', 'again');
		await new Promise(setImmediate);
		engine.slowness = late.opened;
		const second = create('docker', 'a', 'again');
		early.open();
		await inTime(first, 'the first machine');
		// The second is being created.
		await new Promise(setImmediate);
		const third = create('docker', 'a', 'again');
		await new Promise(setImmediate);
		late.open();
		await inTime(Promise.all([second, third]), 'the others');
		expect([...engine.machines.keys()]).toEqual(['m3']);
	});

	it('are made for one session while those of others still are', async () => {
		const { opened, open } = gate();
		engine.slowness = opened;
		const slow = create('docker', 'a', 'slow');
		await new Promise(setImmediate);
		engine.slowness = Promise.resolve();
		expect(await inTime(create('docker', 'b', 'slow'), 'the machine of another client')).toBeDefined();
		expect(await inTime(create('docker', 'a', 'quick'), 'the machine of another session')).toBeDefined();
		open();
		await slow;
	});

	it('do not count one that the engine could not make', async () => {
		engine.failure = new Error('No space.');
		for (const _ of [1, 2, 3]) await expect(create('docker', 'a')).rejects.toThrow('No space.');
		engine.failure = undefined;
		expect(await create('docker', 'a')).toBeDefined();
	});

	it('are given up when they end by themselves, and their pages are told', async () => {
		await create('docker', 'a');
		await create('docker', 'a');
		const states: string[] = [];
		const page = new RemoteExecutionEnvironment({
			onState: (state, why) => void states.push(`${state} ${why}`.trim()),
			connect: async () => {
				const [near, far] = channelPair();
				const ticket = await leases.ticket('m1', one, false);
				if (!leases.connect(ticket ?? '', () => far)) throw new RefusedError('This machine no longer exists.');
				return near;
			}
		});
		onTestFinished(() => page.cleanup());
		await inTime(page.initialize(), 'the connection of the page');
		engine.end('m1');
		await vi.waitFor(() => expect(engine.did).toEqual(['destroy m1']));
		expect(await leases.ticket('m1', one, false)).toBeUndefined();
		expect(leases.counts().get('docker')).toBe(1);
		await vi.waitFor(() => expect(states.at(-1)).toBe('lost This machine no longer exists.'));
		// A machine removed here is not removed again when it ends.
		await leases.remove('m2');
		engine.end('m2');
		await leases.sweep();
		expect(engine.did).toEqual(['destroy m1', 'destroy m2']);
	});

	it('say of one that it is one', async () => {
		leases = new MachineLeases([engine], { perClient: 1, idleMs: IDLE, lifetimeMs: LIFETIME }, () => now);
		await create('docker', 'a');
		await expect(create('docker', 'a')).rejects.toThrow(
			'You have a machine already. Bring a session back to its tab first.'
		);
	});

	it('are counted for each client, those on their way too', async () => {
		const made = await Promise.all(['a', 'a', 'b', 'b', 'c'].map((client) => create('docker', client)));
		expect(made).toHaveLength(5);
	});

	it('are not the folder of the host, which is neither counted nor replaced', async () => {
		await create('host', 'a', 'one');
		await create('docker', 'a', 'one');
		await create('docker', 'a', 'two');
		expect(host.did).toEqual([]);
		expect(await create('host', 'a', 'three')).toMatchObject({ id: 'host' });
		// Another request for the folder does not take it from the session that uses it.
		await leases.ticket('host', one, false);
		await create('host', 'b');
		await expect(leases.ticket('host', two, false)).rejects.toThrow(LeasedError);
	});

	it('share the folder of the host, which no number limits', async () => {
		for (const _ of [1, 2, 3]) expect(await create('host', 'a')).toMatchObject({ id: 'host' });
		expect(leases.counts().get('host')).toBe(1);
		now += IDLE + 1;
		await leases.sweep();
		now += LIFETIME;
		await leases.sweep();
		expect(host.did).toEqual([]);
	});
});

describe('a ticket', () => {
	const connects = (secret = '') => leases.connect(secret, channel);

	beforeEach(async () => void (await create('docker', 'a')));

	it('opens one connection, once, for thirty seconds', async () => {
		expect(await leases.ticket('none', one, false)).toBeUndefined();
		const secret = await leases.ticket('m1', one, false);
		expect(secret).toMatch(/^[\w-]{43}$/);
		expect(connects('guessed')).toBe(false);
		expect(connects(secret)).toBe(true);
		expect(connects(secret)).toBe(false);
		const late = await leases.ticket('m1', one, false);
		const last = await leases.ticket('m1', one, false);
		now += TICKET;
		expect(connects(last)).toBe(true);
		now += 1;
		expect(connects(late)).toBe(false);
	});

	it('opens nothing when it is refused: the channel is not even made', () => {
		const open = vi.fn(channel);
		leases.connect('guessed', open);
		expect(open).not.toHaveBeenCalled();
	});

	it('is refused to a second session, which sees the title of the first, unless it takes over', async () => {
		const first = await leases.ticket('m1', one, false);
		expect(await leases.ticket('m1', one, false)).toBeDefined();
		await expect(leases.ticket('m1', two, false)).rejects.toMatchObject({ name: 'LeasedError', holder: one });
		await expect(leases.ticket('m1', two, false)).rejects.toThrow('The session "Fix the build" uses this machine.');
		const second = await leases.ticket('m1', two, true);
		expect(connects(first)).toBe(false);
		expect(connects(second)).toBe(true);
	});

	it('is kept by a sweep until it expires', async () => {
		const secret = await leases.ticket('m1', one, false);
		now += TICKET;
		await leases.sweep();
		expect(connects(secret)).toBe(true);
	});

	it('is given to another session once the first has been gone for a minute and a half', async () => {
		const [near, far] = channelPair();
		const secret = await leases.ticket('m1', one, false);
		const unused = await leases.ticket('m1', one, false);
		expect(leases.connect(secret ?? '', () => far)).toBe(true);
		const page = new RemoteExecutionEnvironment({ connect: async () => near });
		await inTime(page.initialize(), 'the connection of the page');
		await expect(leases.ticket('m1', two, false)).rejects.toThrow(LeasedError);
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		onTestFinished(() => void vi.useRealTimers());
		await page.cleanup();
		await vi.advanceTimersByTimeAsync(89_999);
		await expect(leases.ticket('m1', two, false)).rejects.toThrow(LeasedError);
		await vi.advanceTimersByTimeAsync(1);
		vi.useRealTimers();
		// A ticket that the first one had not used is invalid now.
		await vi.waitFor(() => expect(connects(unused)).toBe(false));
		await vi.waitFor(async () => expect(await leases.ticket('m1', two, false)).toBeDefined());
	});

	it('is refused to another session while one of two pages of the first is there', async () => {
		const open = async () => {
			const page = new RemoteExecutionEnvironment({
				connect: async () => {
					const [near, far] = channelPair();
					expect(leases.connect((await leases.ticket('m1', one, false)) ?? '', () => far)).toBe(true);
					return near;
				}
			});
			await inTime(page.initialize(), 'the connection of the page');
			return page;
		};
		const [first, second] = [await open(), await open()];
		onTestFinished(() => second.cleanup());
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		onTestFinished(() => void vi.useRealTimers());
		await first.cleanup();
		await vi.advanceTimersByTimeAsync(90_000);
		vi.useRealTimers();
		await new Promise(setImmediate);
		await expect(leases.ticket('m1', two, false)).rejects.toThrow(LeasedError);
	});

	it('is forgotten when it has expired', async () => {
		const secret = await leases.ticket('m1', one, false);
		now += TICKET + 1;
		await leases.sweep();
		now -= TICKET;
		expect(connects(secret)).toBe(false);
	});
});

describe('sweeping', () => {
	afterEach(removeTemporary);

	it('suspends a machine that no session uses, once, and removes it after twice as long', async () => {
		await create('docker', 'a');
		now += IDLE;
		await leases.sweep();
		expect(engine.did).toEqual([]);
		now += 1;
		await leases.sweep();
		await leases.sweep();
		expect(engine.did).toEqual(['suspend m1']);
		now += IDLE - 1;
		await leases.sweep();
		expect(engine.did).toEqual(['suspend m1']);
		now += 1;
		await leases.sweep();
		expect(engine.did).toEqual(['suspend m1', 'destroy m1']);
		expect(leases.counts().get('docker')).toBe(0);
		expect(await leases.ticket('m1', one, false)).toBeUndefined();
	});

	it('leaves a machine alone that a session is connected to, until its lifetime is over', async () => {
		await create('docker', 'a');
		const page = new RemoteExecutionEnvironment({
			connect: async () => {
				const [near, far] = channelPair();
				const ticket = await leases.ticket('m1', one, false);
				if (!leases.connect(ticket ?? '', () => far)) throw new Error('The ticket was refused.');
				return near;
			},
			giveUpMs: 0
		});
		onTestFinished(() => page.cleanup());
		await inTime(page.initialize(), 'the connection of the page');
		now += LIFETIME;
		await leases.sweep();
		expect(engine.did).toEqual([]);
		now += 1;
		await leases.sweep();
		expect(engine.did).toEqual(['destroy m1']);
	});

	it('removes what a dead server left, and nothing that is just being made', async () => {
		engine.machines.set('new', { id: 'new', type: 'docker', createdMs: now, isSuspended: false });
		now += 2 * TICKET;
		await leases.sweep();
		expect(engine.did).toEqual([]);
		now += 1;
		await leases.sweep();
		expect(engine.did).toEqual(['destroy new']);
	});
});

it('removes all machines when the server ends, and a missing one is no error', async () => {
	await create('docker', 'a');
	await create('docker', 'b');
	await leases.remove('none');
	await leases.close();
	expect(engine.did.toSorted()).toEqual(['destroy m1', 'destroy m2']);
});
