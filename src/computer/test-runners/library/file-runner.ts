import type { Suite, Test, VitestRunner, VitestRunnerConfig } from '@vitest/runner';
import type { FileJob } from '../job.ts';
import { checkExpectations, forgetExpectations } from './expect.ts';

/** Connects vitest's own runner to files and to the environment of each test. */
export class FileRunner implements VitestRunner {
	readonly config: VitestRunnerConfig;

	constructor(
		{ root, settings }: FileJob,
		readonly importFile: (path: string) => Promise<unknown>
	) {
		this.config = {
			root,
			setupFiles: settings.setupFiles.map((file) =>
				file.startsWith('/') || !/^\.{0,2}\/|\.[cm]?[jt]sx?$/.test(file) ? file : `${root}/${file.replace(/^\.\//, '')}`
			),
			name: undefined,
			passWithNoTests: true,
			testNamePattern: settings.namePattern === null ? undefined : new RegExp(settings.namePattern),
			allowOnly: true,
			sequence: { seed: 1, hooks: 'stack', setupFiles: 'list' },
			chaiConfig: undefined,
			maxConcurrency: 5,
			testTimeout: settings.testTimeoutMs,
			hookTimeout: settings.testTimeoutMs * 2,
			retry: 0,
			includeTaskLocation: false,
			tags: [],
			tagsFilter: undefined,
			strictTags: false
		};
	}

	onBeforeTryTask(test: Test): void {
		forgetExpectations(test);
	}

	onAfterTryTask(test: Test): void {
		checkExpectations(test);
	}

	onBeforeRunSuite(_suite: Suite): void {}
}
