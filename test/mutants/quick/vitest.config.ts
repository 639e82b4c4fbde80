import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { z } from 'zod';

/** Set by `measure.mjs`. */
const folder = process.env['MUTANTS_FOLDER'] ?? '';
const plan = z
	.object({ tests: z.array(z.string()), leftOut: z.array(z.string()), sources: z.record(z.string(), z.string()) })
	.parse(JSON.parse(readFileSync(path.join(folder, 'plan.json'), 'utf8')));

/** Counts for more than any file has bytes. */
const WHOLE_SUITE = 1_000_000;

/**
 * Small files first: what they notice spares the large ones, whose tests reach nearly everything. A file that runs a
 * suite of `test/contract/` is small, and its tests take longest.
 */
class SmallestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const size = ({ moduleId }: TestSpecification) =>
			statSync(moduleId).size +
			(/#test\/contract\/(?!tools\/harness)/.test(readFileSync(moduleId, 'utf8')) ? WHOLE_SUITE : 0);
		return files.toSorted((a, b) => size(a) - size(b));
	}
}

export default defineConfig({
	plugins: [
		{
			name: 'mutated-sources',
			enforce: 'pre',
			/** Answers a source with all its mutants in it, of which `runner.ts` switches one on at a time. */
			load(id) {
				const file = plan.sources[id];
				return file === undefined ? undefined : readFileSync(path.join(folder, file), 'utf8');
			}
		}
	],
	test: {
		name: 'node',
		include: plan.tests,
		exclude: ['**/*.browser.test.ts', '**/node_modules/**', ...plan.leftOut],
		sequence: { sequencer: SmallestFirst },
		runner: path.join(import.meta.dirname, 'runner.ts'),
		maxWorkers: Number(process.env['MUTANTS_CONCURRENCY'] ?? 1),
		reporters: ['dot'],
		silent: true,
		dangerouslyIgnoreUnhandledErrors: true,
		testTimeout: 60_000,
		hookTimeout: 60_000
	}
});
