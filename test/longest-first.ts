import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take much longer than the others of their project, longest first. One that starts last keeps one core busy
 * while the other is idle: the engines alone did so for four minutes.
 */
const LONGEST = [
	'test/server/machines/kubernetes.test.ts',
	'test/server/machines/hostile.test.ts',
	'test/environment/local/rights.test.ts',
	'test/computer/git/differential.test.ts',
	'test/environment/remote/contract.test.ts',
	'test/session/share/verify.test.ts',
	'test/agent/tools/local.test.ts',
	'test/computer/node/differential.test.ts',
	'test/bench.test.ts',
	'test/server/machines/gnu-image.test.ts',
	'test/environment/prefix/contract.test.ts',
	'test/environment/webcontainer/contract.test.ts',
	'test/computer/contract.browser.test.ts',
	'test/computer/python/python.browser.test.ts',
	'test/computer/shell/everyday.browser.test.ts',
	'test/computer/snapshot.browser.test.ts',
	'test/computer/rights.browser.test.ts',
	'test/e2e/engines.test.ts',
	'test/e2e/eyes.test.ts',
	'test/e2e/preview.test.ts',
	'test/e2e/keys.test.ts',
	'test/e2e/preview-isolation.test.ts',
	'test/e2e/agent.test.ts',
	'test/e2e/demo.test.ts',
	'test/e2e/playwright-verdicts.test.ts'
];

/** Starts the longest files first. The others keep vitest's order: by their last duration, else by size. */
export class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const rank = ({ moduleId }: TestSpecification) => {
			const index = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`));
			return index < 0 ? LONGEST.length : index;
		};
		return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
	}
}
