import { afterAll, afterEach, beforeEach, describe, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { describeExecRights } from './rights/exec.ts';
import type { ItWithRight, Outside, RightsCapability } from './rights/fixture.ts';
import { describeTrialMerges } from './rights/merges.ts';
import { describeRandomTrials } from './rights/random.ts';
import { describeTrials } from './rights/trials.ts';

export type { Outside, RightsCapability } from './rights/fixture.ts';

export interface RightsSuite {
	/** A fresh, initialized environment with an empty working directory. */
	create(): Promise<ExecutionEnvironment>;
	/** Something outside the environment that a command may try to reach. Stopped by the suite. */
	openOutside(environment: ExecutionEnvironment): Promise<Outside>;
	/** Missing capabilities with the reason: those tests are skipped and show it. */
	lacks?: Partial<Record<RightsCapability, string>>;
	/** Makes a used environment like a fresh one, for the next test. Absent: each test gets a new one. */
	reset?(environment: ExecutionEnvironment): Promise<void>;
	/** Runs after each environment was cleaned up, e.g. to remove its directory. */
	dispose?(): Promise<void>;
	/** Number of random programs; default 25. */
	randomPrograms?: number;
}

/**
 * The shared suite of {@link import('#environment/contract.ts').Rights} and trials, for every environment that enforces
 * them. It uses nothing of Node or of a page.
 */
export function describeRights(name: string, suite: RightsSuite): void {
	const { lacks = {} } = suite;
	const itWith: ItWithRight = (capability, title, test) => {
		const reason = lacks[capability];
		it.skipIf(reason !== undefined)(reason === undefined ? title : `${title} (skipped: ${reason})`, test);
	};

	describe(`${name}: rights of commands`, () => {
		let environment: ExecutionEnvironment;
		let unused: ExecutionEnvironment | undefined;
		let outside: Outside | undefined;
		const end = async (ended: ExecutionEnvironment): Promise<void> => {
			await ended.cleanup();
			await suite.dispose?.();
		};
		beforeEach(async () => {
			environment = unused ?? (await suite.create());
			unused = undefined;
		});
		afterEach(async () => {
			await outside?.close();
			outside = undefined;
			if (!suite.reset) return end(environment);
			await suite.reset(environment);
			unused = environment;
		});
		afterAll(async () => {
			if (unused) await end(unused);
		});
		const context = {
			environment: () => environment,
			openOutside: async () => (outside = await suite.openOutside(environment)),
			itWith,
			lacks
		};

		describeExecRights(context);
		describeTrials(context);
		describeTrialMerges(context);
		describeRandomTrials(context, suite.randomPrograms ?? 25);
	});
}
