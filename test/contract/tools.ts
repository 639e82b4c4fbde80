import { afterAll, afterEach, beforeEach, describe, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { EnvironmentSuite } from './environment.ts';
import type { ItWith } from './environment/checks.ts';
import { describeDocuments } from './tools/documents.ts';
import { describeEdit } from './tools/edit.ts';
import { describeReadAndWrite } from './tools/files.ts';
import { createHarness, type ToolHarness } from './tools/harness.ts';
import { describePatch } from './tools/patch.ts';
import { describeSearchTools } from './tools/search.ts';
import { describeShell } from './tools/shell.ts';

/** Tests every tool in one environment: the same scenarios in the tab and on a machine. */
export function describeTools(name: string, suite: EnvironmentSuite): void {
	const itWith: ItWith = (capability, title, test, limitMs) => {
		const reason = suite.lacks?.[capability];
		it.skipIf(reason !== undefined)(reason === undefined ? title : `${title} (skipped: ${reason})`, test, limitMs);
	};

	describe(`tools over ${name}`, () => {
		let harness: ToolHarness;
		/** The environment renewed after the last test. */
		let kept: ExecutionEnvironment | null = null;
		const end = async (environment: ExecutionEnvironment): Promise<void> => {
			await environment.cleanup();
			await suite.dispose?.();
		};
		beforeEach(async () => {
			harness = createHarness(kept ?? (await suite.create()));
			kept = null;
		});
		afterEach(async () => {
			const { environment } = harness;
			if (!suite.renew) return end(environment);
			await suite.renew(environment);
			kept = environment;
		});
		afterAll(async () => {
			if (kept) await end(kept);
		});

		describeEdit(() => harness, itWith);
		describePatch(() => harness);
		describeReadAndWrite(() => harness, itWith, suite);
		describeDocuments(() => harness, itWith);
		describeSearchTools(() => harness, itWith);
		describeShell(() => harness, itWith);
	});
}
