import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { codeOf, entriesOf, type Capability, type ItWith } from './environment/checks.ts';
import { describeCommands } from './environment/commands.ts';
import { describeFiles } from './environment/files.ts';
import { describeJournal } from './environment/journal.ts';
import { describeOverlay } from './environment/overlay.ts';
import { describeSearch } from './environment/search.ts';
import { describeSnapshots } from './environment/snapshots.ts';

export interface EnvironmentSuite {
	/** A fresh, initialized environment with an empty working directory. */
	create(): Promise<ExecutionEnvironment>;
	/** Missing capabilities with the reason: those tests are skipped and show it. */
	lacks?: Partial<Record<Capability, string>>;
	/** Runs work as a user to whom file modes apply; absent if every user is one. */
	asOrdinaryUser?<T>(environment: ExecutionEnvironment, work: () => Promise<T>): Promise<T>;
	/**
	 * Makes a used environment as it was when it was created, for suites that test its users and not itself. Absent:
	 * each test gets a new one.
	 */
	renew?(environment: ExecutionEnvironment): Promise<void>;
	/** Number of random imports of hostile content; default 25. */
	hostileLoads?: number;
	/** Runs after each environment was cleaned up, e.g. to remove its directory. */
	dispose?(): Promise<void>;
}

/**
 * The shared suite of every {@link ExecutionEnvironment}. It uses nothing of Node or of a page, and only commands that
 * exist in every environment.
 */
export function describeEnvironment(name: string, suite: EnvironmentSuite): void {
	const { lacks = {} } = suite;
	const needs = (capability: Capability): { skip: boolean; title: string } => ({
		skip: lacks[capability] !== undefined,
		title: lacks[capability] === undefined ? '' : ` (skipped: ${lacks[capability]})`
	});
	const itWith: ItWith = (capability, title, test, limitMs) => {
		const { skip, title: reason } = needs(capability);
		it.skipIf(skip)(title + reason, test, limitMs);
	};

	describe(`${name}: the environment contract`, () => {
		let environment: ExecutionEnvironment;
		beforeEach(async () => {
			environment = await suite.create();
		});
		afterEach(async () => {
			await environment.cleanup();
			await suite.dispose?.();
		});

		describe('metadata', () => {
			it('has an absolute working directory, a platform and a version', () => {
				expect(environment.workingDirectory()).toMatch(/^\//);
				expect(['wasm', 'linux', 'darwin', 'windows']).toContain(environment.platform());
				expect(environment.osVersion()).not.toBe('');
			});

			it('initialises any number of times', async () => {
				await environment.initialize();
				await environment.initialize();
				await environment.writeFile('a.txt', 'a');
				expect(await environment.readFile('a.txt')).toBe('a');
			});
		});

		describeFiles(() => environment, itWith, suite.hostileLoads ?? 25);

		describeCommands(() => environment, itWith);

		describeSearch(() => environment);
		describeJournal(() => environment, itWith);
		describeSnapshots(() => environment, itWith);
		describeOverlay(() => environment, itWith);
	});

	describe(`${name}: after cleanup`, () => {
		let environment: ExecutionEnvironment;
		beforeAll(async () => {
			environment = await suite.create();
			await environment.writeFile('a.txt', 'a');
			await environment.cleanup();
		});
		afterAll(async () => suite.dispose?.());

		it('cleans up any number of times', async () => {
			await environment.cleanup();
			await environment.cleanup();
		});

		it('rejects every later call with ECLOSED', async () => {
			const calls: Promise<unknown>[] = [
				environment.readFile('a.txt'),
				environment.readBytes('a.txt'),
				environment.writeFile('a.txt', 'b'),
				environment.fileExists('a.txt'),
				environment.stat('a.txt'),
				environment.listDirectory('.', 1),
				environment.remove('a.txt'),
				environment.rename('a.txt', 'b.txt'),
				environment.makeDirectory('d'),
				environment.readLink('a.txt'),
				environment.symlink('a', 'b'),
				environment.setMode('a.txt', 0o644),
				environment.load(entriesOf({ b: 'b' })),
				environment.exec('echo x'),
				environment.start('echo x'),
				environment.openTerminal({ columns: 80, rows: 24 }),
				environment.grep('a', '.'),
				environment.glob('*', '.'),
				environment.snapshot(),
				environment.restore({ id: '', entries: new Map() }),
				environment.readBlob('0'.repeat(40)),
				environment.overlay(),
				environment.initialize()
			];
			expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => 'ECLOSED'));
		});

		it('ends what was running', async () => {
			if (lacks.background !== undefined) return;
			const running = await suite.create();
			const process = await running.start('sleep 60');
			await running.cleanup();
			expect((await process.exited).exitCode).toBeGreaterThan(0);
		});
	});
}
