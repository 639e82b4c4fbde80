import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { UnknownMachineError, type MachineProvider } from '#server/machines/contract.ts';

export interface MachineProviderSuite {
	/** Opens the provider shared by all tests of the suite. */
	open(): Promise<MachineProvider>;
	/** The provider has a single permanent machine: it is shared, never suspended and never removed. */
	isPermanent?: boolean;
	/** Ends a machine from outside, as an engine does when it runs out of memory. Absent if it is permanent. */
	kill?(id: string): Promise<void>;
	/** Removes the provider's resources. */
	dispose?(): Promise<void>;
}

/** Ids of no machine, some of which look like something else. */
const STRANGE_IDS = [
	'',
	'.',
	'..',
	'../host',
	'host/..',
	'0'.repeat(64),
	'f'.repeat(12),
	'a b',
	'%2e%2e',
	'x'.repeat(10_000)
];
const LIMIT_MS = 60_000;

/** The shared suite of every {@link MachineProvider}. It only uses commands that each machine has. */
export function describeMachineProvider(name: string, suite: MachineProviderSuite): void {
	describe(name, { timeout: LIMIT_MS }, () => {
		const { isPermanent = false } = suite;
		let provider: MachineProvider;
		const attached: ExecutionEnvironment[] = [];
		const created: string[] = [];

		beforeAll(async () => {
			provider = await suite.open();
		}, 2 * LIMIT_MS);
		afterEach(async () => {
			for (const environment of attached.splice(0)) await environment.cleanup();
			for (const id of created.splice(0)) await provider.destroy(id);
		}, LIMIT_MS);
		afterAll(async () => suite.dispose?.(), 2 * LIMIT_MS);

		const create = async (): Promise<string> => {
			const { id } = await provider.create();
			created.push(id);
			return id;
		};
		const attach = async (id: string): Promise<ExecutionEnvironment> => {
			const environment = await provider.attach(id);
			attached.push(environment);
			return environment;
		};
		const listed = async (id: string) => (await provider.list()).filter((machine) => machine.id === id);

		it('says what it offers, and that it can create it now', async () => {
			await provider.check();
			const { id, kind, name: title, cpus = 1, memoryBytes = 1, lifetimeS = 1 } = provider.type;
			for (const text of [id, kind, title]) expect(text).not.toBe('');
			for (const limit of [cpus, memoryBytes, lifetimeS]) expect(limit).toBeGreaterThan(0);
		});

		it('lists what it created, once', async () => {
			const before = Date.now();
			const id = await create();
			const [machine, ...more] = await listed(id);
			expect(more).toEqual([]);
			expect(machine).toMatchObject({ id, type: provider.type.id, isSuspended: false });
			// Engines have a resolution of seconds.
			if (!isPermanent) expect(machine?.createdMs).toBeGreaterThan(before - 5_000);
		});

		it('opens files and commands that are there again for the next session', async () => {
			const id = await create();
			const first = await attach(id);
			await first.writeFile('note.txt', 'kept');
			expect((await first.exec('cat note.txt; exit 3')).exitCode).toBe(3);
			await first.cleanup();
			const second = await attach(id);
			expect(await second.readFile('note.txt')).toBe('kept');
			await second.remove('note.txt');
		});

		it('ends what a session started when that session leaves', async () => {
			const environment = await attach(await create());
			const running = await environment.start('sleep 600');
			await environment.cleanup();
			expect((await running.exited).exitCode).not.toBe(0);
		});

		it('knows no machine but its own, whatever the id', async () => {
			for (const id of STRANGE_IDS) {
				await expect(provider.attach(id), `attach ${id.slice(0, 20)}`).rejects.toThrow(UnknownMachineError);
				await expect(provider.suspend(id), `suspend ${id.slice(0, 20)}`).rejects.toThrow(UnknownMachineError);
				await provider.destroy(id);
			}
		});

		it('suspends a machine, as often as asked, and resumes it with its files', async () => {
			const id = await create();
			const before = await attach(id);
			await before.writeFile('slept.txt', 'still here');
			await before.cleanup();
			await provider.suspend(id);
			await provider.suspend(id);
			expect((await listed(id))[0]?.isSuspended).toBe(!isPermanent);
			const after = await attach(id);
			expect((await listed(id))[0]?.isSuspended).toBe(false);
			expect(await after.readFile('slept.txt')).toBe('still here');
			await after.remove('slept.txt');
		});

		it.runIf(isPermanent)('leaves the files alone when the machine is given up', async () => {
			const id = await create();
			await (await attach(id)).writeFile('mine.txt', 'mine');
			await provider.destroy(id);
			expect(await listed(id)).toHaveLength(1);
			expect(await (await attach(id)).readFile('mine.txt')).toBe('mine');
		});

		it.skipIf(isPermanent)('removes a machine for good, suspended or not, and again', async () => {
			const ids = [await create(), await create()];
			await provider.suspend(ids[0] ?? '');
			for (const id of ids) {
				await provider.destroy(id);
				await provider.destroy(id);
				expect(await listed(id)).toEqual([]);
				await expect(provider.attach(id)).rejects.toThrow(UnknownMachineError);
			}
		});

		it.skipIf(isPermanent)(
			'tells when a machine has ended by itself or is removed, and opens none in its place',
			async () => {
				const [killed, removed, kept] = [await create(), await create(), await create()];
				await (await attach(killed)).writeFile('gone.txt', 'gone');
				const told: string[] = [];
				const abort = new AbortController();
				const watch = async (id: string): Promise<void> => {
					await provider.ended(id, abort.signal);
					told.push(id);
				};
				const watching = [killed, removed, kept].map(watch);
				// A suspended machine has not ended.
				await provider.suspend(kept);
				expect(told).toEqual([]);
				if (!suite.kill) throw new Error('The suite has no way to kill a machine.');
				await suite.kill(killed);
				await expect.poll(() => told, { timeout: LIMIT_MS / 2 }).toEqual([killed]);
				// Its files are lost, so an empty machine must not replace it.
				await expect(provider.attach(killed)).rejects.toThrow(UnknownMachineError);
				await provider.destroy(removed);
				await expect.poll(() => told, { timeout: LIMIT_MS / 2 }).toEqual([killed, removed]);
				abort.abort();
				await Promise.all(watching);
				await provider.ended(killed, new AbortController().signal);
			}
		);

		it.runIf(isPermanent)('never ends by itself', async () => {
			const abort = new AbortController();
			let isTold = false;
			const watching = provider.ended(await create(), abort.signal).then(() => (isTold = true));
			await provider.destroy(await create());
			expect(isTold).toBe(false);
			abort.abort();
			await watching;
		});

		it.skipIf(isPermanent)('gives each machine files of its own', async () => {
			const [one, two] = [await attach(await create()), await attach(await create())];
			await one.writeFile('secret.txt', 'of one');
			expect(await two.fileExists('secret.txt')).toBe(false);
			expect((await two.exec(`cat ${one.workingDirectory()}/secret.txt`)).exitCode).not.toBe(0);
		});
	});
}
