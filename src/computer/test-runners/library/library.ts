import type { Host } from './host.ts';
import * as runner from '@vitest/runner';
import type { Replacements } from '#computer/node/loader/replacements.ts';
import type { FileJob } from '../job.ts';
import { MOCKING } from '../mocking.ts';
import type { Failure, FileResult } from '../result.ts';
import type { Tool } from '../tool.ts';
import { withCallbacks } from './callbacks.ts';
import { installEnvironment } from './dom.ts';
import { expect, useSnapshots } from './expect.ts';
import { createJest, createVi } from './mocks.ts';
import { ModuleMocks } from './module-mocks.ts';
import { collectResult, failureOf } from './outcome.ts';
import { FileRunner } from './file-runner.ts';
import { FileSnapshots } from './snapshots.ts';

/** Replacement for the test tool in test files, including its runner. */
export interface Library {
	/** Module name → its exports. */
	modules: Record<string, object>;
	/** Replacement of a module. */
	replacement(tool: Tool['name'], ...asked: Parameters<Replacements['find']>): ReturnType<Replacements['find']>;
	runFile(job: FileJob, host: Host): Promise<FileResult>;
}

const vitestMocks = new ModuleMocks('vitest');
const jestMocks = new ModuleMocks('jest');
const vi = createVi(vitestMocks);
const jest = createJest(createVi(jestMocks), jestMocks);
const { describe, it, test, suite, beforeAll, beforeEach, afterAll, afterEach, onTestFailed, onTestFinished } = runner;

const shared = { describe, it, test, suite, expect, beforeAll, beforeEach, afterAll, afterEach };
const jests = {
	...shared,
	it: withCallbacks(it),
	test: withCallbacks(test),
	beforeAll: withCallbacks(beforeAll),
	beforeEach: withCallbacks(beforeEach),
	afterAll: withCallbacks(afterAll),
	afterEach: withCallbacks(afterEach),
	fit: withCallbacks(it.only),
	xit: it.skip,
	xtest: test.skip,
	fdescribe: describe.only,
	xdescribe: describe.skip,
	jest
};
const defineConfig = (config: unknown) => config;

const modules: Record<string, object> = {
	vitest: {
		...shared,
		vi,
		vitest: vi,
		assert: Reflect.get(expect, 'assert') as unknown,
		onTestFailed,
		onTestFinished,
		expectTypeOf: createExpectTypeOf(),
		assertType: () => undefined
	},
	'vitest/config': {
		defineConfig,
		defineProject: defineConfig,
		defineWorkspace: defineConfig,
		mergeConfig: (first: object, second: object) => ({ ...first, ...second }),
		configDefaults: { include: [], exclude: ['**/node_modules/**', '**/dist/**', '**/.git/**'] }
	},
	'@vitest/runner': { ...runner },
	'@vitest/expect': { expect },
	'@vitest/spy': { fn: vi.fn, spyOn: vi.spyOn },
	'@jest/globals': jests
};

export const library: Library = {
	modules,
	replacement: (tool, target, seenBy) => (tool === 'jest' ? jestMocks : vitestMocks).find(target, seenBy),
	async runFile(job, host) {
		const isJest = job.tool === 'jest';
		(isJest ? jestMocks : vitestMocks).connect(host.modules, job.file);
		Object.defineProperty(globalThis, MOCKING, { value: isJest ? jest : vi });
		const globals = isJest ? jests : { ...shared, vi, vitest: vi };
		if (job.settings.globals) Object.assign(globalThis, globals);
		const snapshots = new FileSnapshots(job.file, job.settings.snapshots, host.files);
		await snapshots.open();
		useSnapshots(snapshots);
		const thrown: Failure[] = [];
		const asked = {
			tool: job.tool,
			root: job.root,
			configured: job.settings.environment,
			named: docblock(host, job.file)
		};
		await installEnvironment(asked, host, (error) => thrown.push(failureOf(error)));
		const fileRunner = new FileRunner(job, host.importFile);
		const [file] = await runner.startTests([{ filepath: job.file, testLocations: undefined }], fileRunner);
		const { tests, failures } = collectResult(file);
		return { tests, failures: [...failures, ...thrown], snapshots: await snapshots.close() };
	}
};

/** Parses `// @vitest-environment jsdom` at the start of a file. */
function docblock({ files }: Host, file: string): string | null {
	return /@(?:vitest|jest)-environment\s+([@\w./-]+)/.exec(files.read(file) ?? '')?.[1] ?? null;
}

/** Types are checked by `tsc`: at run time each of these functions does nothing. */
function createExpectTypeOf(): () => unknown {
	const nothing: unknown = new Proxy(() => nothing, { get: () => nothing });
	return () => nothing;
}
